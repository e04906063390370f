import { decodePlayRecord, type PlayRecord } from '../../src/protocol/play-record.ts';
import type { PlaySession } from '../../src/protocol/schemas/play.ts';
import { request } from './client.ts';

/** @returns the session of a service @throws if there is no session */
export async function sessionOf(address: string): Promise<PlaySession> {
  const { session } = (await request(address, 'GET /api/play')).body;
  if (!session) throw new Error('there is no session');
  return session;
}

/** Starts a session, or changes the running one. @throws if the request is refused or the task fails */
export async function configure(address: string, input: object): Promise<PlaySession> {
  const { status, body } = await request(address, 'POST /api/play/configure', input, { prefer: 'wait=60' });
  const { busy } = body as { busy?: { state: string; error: string | null } };
  if (status !== 200) throw new Error(`${status} ${body.detail}`);
  if (busy && busy.state !== 'done') throw new Error(`${busy.state}: ${busy.error}`);
  return sessionOf(address);
}

/** Reads rows of an environment's record. */
export async function recordOf(address: string, query: Record<string, number> = {}): Promise<PlayRecord> {
  const text = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]));
  const response = await fetch(`${address}/api/plots/play?${text}`);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return decodePlayRecord(await response.arrayBuffer());
}

/** Polls `look` until `wanted` accepts its value. @throws with the last value if `withinMs` passes */
export async function until<T>(look: () => Promise<T>, wanted: (value: T) => boolean, withinMs = 30_000): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    const value = await look();
    if (wanted(value)) return value;
    if (Date.now() > end) throw new Error(`not within ${withinMs} ms: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** Converts a dataset of the selected robot and waits for the end of the job. */
export async function convertAll(address: string, dataset: string): Promise<void> {
  const { body } = await request(address, 'POST /api/data/convert', { dataset });
  const job = () => request(address, `GET /api/jobs/${body.job}` as 'GET /api/jobs/{name}');
  const { body: ended } = await until(job, ({ body: { status } }) => !['queued', 'running'].includes(status), 60_000);
  if (ended.status !== 'done') throw new Error(`the conversion failed: ${ended.error}`);
}
