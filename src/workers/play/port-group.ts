import type { MessagePort } from 'node:worker_threads';
import type { EnvGroup } from '../../play/env-group.ts';
import type { PlayCommand } from '../../play/plan.ts';
import type { ToPaced } from './messages.ts';

/** The shards of a session, connected by message ports. A shard is a thread that steps a part of the environments. */
export class PortGroup implements EnvGroup {
  readonly #ports: readonly MessagePort[];
  #seq = 0;
  #missing = 0;
  #done: (() => void) | null = null;

  constructor(ports: readonly MessagePort[]) {
    this.#ports = ports;
    for (const port of ports) port.on('message', (seq: number) => this.#answered(seq));
  }

  /** Advances all shards. Call it again only after it has settled. If a shard crashes, it settles when the group is
   *  closed. */
  advance(steps: number, picture: number): Promise<void> {
    this.#seq += 1;
    this.#missing = this.#ports.length;
    for (const port of this.#ports)
      port.postMessage({ type: 'advance', steps, picture, seq: this.#seq } satisfies ToPaced);
    return new Promise((resolve) => {
      this.#done = resolve;
    });
  }

  apply(command: PlayCommand): void {
    for (const port of this.#ports) port.postMessage({ type: 'apply', command } satisfies ToPaced);
  }

  close(): void {
    for (const port of this.#ports) port.close();
    this.#done?.();
  }

  #answered(seq: number): void {
    if (seq !== this.#seq) return;
    this.#missing -= 1;
    if (this.#missing === 0) this.#done?.();
  }
}
