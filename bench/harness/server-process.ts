import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { processCpuS } from './process-cpu.ts';

/** A server under test in a separate process. When it listens, it prints a line that ends with its port. If it reports
 *  measurements, it answers each line on stdin with one line of JSON. */
export class ServerProcess {
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #reader: Interface;

  private constructor(child: ChildProcess, reader: Interface, lines: AsyncIterator<string>, port: number) {
    this.#child = child;
    this.#reader = reader;
    this.#lines = lines;
    this.port = port;
  }

  /** @param command a `.ts` file of `bench/servers`, or a program; followed by its first arguments */
  static async start(command: readonly string[], args: readonly (string | number)[]): Promise<ServerProcess> {
    const [program, ...before] = command[0]!.endsWith('.ts')
      ? [process.execPath, '--expose-gc', '--import', 'tsx', benchFile(`servers/${command[0]!}`), ...command.slice(1)]
      : command;
    const child = spawn(program!, [...before, ...args.map(String)], { stdio: ['pipe', 'pipe', 'inherit'] });
    const failed = once(child, 'error').then(([error]) => Promise.reject(error as Error));
    failed.catch(() => {}); // the race below handles this rejection; a later error appears as the end of the output
    const reader = createInterface(child.stdout!);
    const lines = reader[Symbol.asyncIterator]();
    const first = await Promise.race([lines.next(), failed]);
    if (first.done) throw new Error(`${command.join(' ')} ended before it listened`);
    const port = Number(/(\d+)\D*$/.exec(first.value)?.[1]);
    return new ServerProcess(child, reader, lines, port);
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** CPU time of all threads of the server so far, s. */
  cpuS(): number {
    return processCpuS(this.pid);
  }

  /** Sends a line and reads the answer. */
  async ask<T>(line: string): Promise<T> {
    this.#child.stdin!.write(`${line}\n`);
    const answer = await this.#lines.next();
    if (answer.done) throw new Error('the server ended');
    return JSON.parse(answer.value) as T;
  }

  /** Ends the server. @param signal SIGTERM lets the service write its state to disk */
  async stop(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    this.#reader.close();
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill(signal);
    await ended;
  }
}

/** Path of a file of the bench folder. */
export function benchFile(relative: string): string {
  return fileURLToPath(new URL(`../${relative}`, import.meta.url));
}
