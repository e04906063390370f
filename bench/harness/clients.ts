import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { compileC } from './native.ts';

/** `[u64 CLOCK_MONOTONIC ns at publishing][u64 sequence number]` at the end of each test frame. */
export const TRAILER_BYTES = 16;

export interface ClientClass {
  readonly name: string;
  readonly count: number;
  /** reading speed; 0: as fast as possible, −1: never reads */
  readonly bytesPerS: number;
  /** whether it acknowledges each frame by a message */
  readonly ack: boolean;
}

export interface ClassFigures {
  readonly name: string;
  readonly clients: number;
  readonly frames: number;
  readonly bytes: number;
  /** number of frames that were published between two received ones */
  readonly missed: number;
  /** age of a frame when its last byte is read */
  readonly p50_ms: number;
  readonly p90_ms: number;
  readonly p99_ms: number;
  readonly max_ms: number;
  readonly closed: number;
  readonly closed_after_s: number;
}

export interface ClientFigures {
  readonly seconds: number;
  /** CPU time of the server's process within the window */
  readonly cpu_s: number;
  readonly classes: readonly ClassFigures[];
}

export interface ClientRun {
  readonly port: number;
  readonly path: string;
  readonly serverPid: number;
  readonly warmS: number;
  readonly measureS: number;
  readonly classes: readonly ClientClass[];
}

export const fast = (count: number, ack = false): ClientClass => ({ name: 'fast', count, bytesPerS: 0, ack });

/** Runs websocket clients in a separate process: the C program if a compiler is installed, otherwise Node with `ws`.
 *  @param onMeasuring called when the measurement begins */
export async function runClients(run: ClientRun, onMeasuring = () => {}): Promise<ClientFigures> {
  const native = compileC('ws-clients');
  const program = native ?? process.execPath;
  const script = native ? [] : ['--import', 'tsx', fileURLToPath(new URL('./node-clients.ts', import.meta.url))];
  const child = spawn(
    program,
    [
      ...script,
      ...[run.port, run.path, run.serverPid, run.warmS, run.measureS].map(String),
      ...run.classes.map((c) => `${c.name},${c.count},${c.bytesPerS},${c.ack ? 1 : 0}`),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  let last = '';
  for await (const line of createInterface(child.stdout)) {
    if (line === 'measuring') onMeasuring();
    last = line;
  }
  const code = await ended;
  if (code !== 0) throw new Error(`the clients ended with exit code ${code}`);
  return JSON.parse(last) as ClientFigures;
}
