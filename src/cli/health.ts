import process from 'node:process';
import { messageOf } from '../core/errors.ts';
import { readOptions } from './options.ts';

/** Health check of a container: requests `/healthz` from the service with the same `MOTION_STUDIO_*` variables.
 *  Exits with 0 if the service answers 200 within 4 s, else with 1 and the reason on stderr. */
const TIMEOUT_MS = 4000;

try {
  const options = readOptions([], process.env, '');
  if ('print' in options) throw new Error('the health check takes neither --help nor --version');
  const { host, port, token } = options;
  const own = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  const url = `http://${own.includes(':') ? `[${own}]` : own}:${port}/healthz`;
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const { status } = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (status !== 200) throw new Error(`${url} answers ${status}`);
} catch (error) {
  const cause = error instanceof Error && error.cause !== undefined ? `: ${messageOf(error.cause)}` : '';
  process.stderr.write(`unhealthy: ${messageOf(error)}${cause}\n`);
  process.exitCode = 1;
}
