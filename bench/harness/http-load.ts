import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { benchFile } from './server-process.ts';

export interface LoadFigures {
  readonly requests: number;
  readonly per_s: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly errors: number;
}

const UNIT_MS: Readonly<Record<string, number>> = { us: 1e-3, ms: 1, s: 1e3 };

let known: boolean | undefined;
/** Whether wrk is installed; prints a note once if it is not. */
function hasWrk(): boolean {
  if (known === undefined) {
    known = spawnSync('wrk', ['-v']).error === undefined;
    if (!known)
      console.log(
        'wrk is not installed (on Debian: apt-get install wrk): Node sends the requests instead, more slowly',
      );
  }
  return known;
}

/** Requests `url` repeatedly over `connections` connections from a separate process. */
export async function httpLoad(url: string, connections: number, seconds: number): Promise<LoadFigures> {
  const args = hasWrk()
    ? ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', url]
    : ['--import', 'tsx', benchFile('harness/node-http-clients.ts'), url, String(connections), String(seconds)];
  const child = spawn(hasWrk() ? 'wrk' : process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`the clients ended with exit code ${code}: ${text}`);
  return hasWrk() ? readWrk(text) : (JSON.parse(text) as LoadFigures);
}

function readWrk(text: string): LoadFigures {
  const time = (percent: number) => {
    const [, value, unit] = new RegExp(`${percent}%\\s+([\\d.]+)(us|ms|s)`).exec(text) ?? [];
    return Number(value) * UNIT_MS[unit ?? '']!;
  };
  const [, requests, seconds, unit] = /(\d+) requests in ([\d.]+)(s|ms)/.exec(text) ?? [];
  const errors = /Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1] ?? '0';
  const socketErrors = [...(/Socket errors: (.*)/.exec(text)?.[1] ?? '').matchAll(/\d+/g)].map(Number);
  return {
    requests: Number(requests),
    per_s: Number(requests) / ((Number(seconds) * UNIT_MS[unit ?? '']!) / 1e3),
    p50_ms: time(50),
    p99_ms: time(99),
    errors: Number(errors) + socketErrors.reduce((sum, one) => sum + one, 0),
  };
}
