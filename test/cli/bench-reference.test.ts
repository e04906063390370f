import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CLIENTS, REFERENCE } from '../../src/cli/local/bench.ts';

const RESULTS = path.resolve(import.meta.dirname, '../../bench/results');
const results = <T>(name: string) => JSON.parse(readFileSync(path.join(RESULTS, `${name}.json`), 'utf8')) as T;

/** Steps of an iteration of the trainings, and frames a second of converted clips. */
const [STEPS, FPS] = [128 * 24, 50];
/** The figures are one machine's. Results that were measured again, on another one, may differ by this factor. */
const MACHINES = 3;

test('the reference values of bench are those of bench/results', () => {
  type Speed = { readonly collection_s: number; readonly learning_s: number };
  const train = results<{ one_thread: Speed; all_threads: Speed }>('train');
  const { service } = results<{ service: { all_s: number; clip_s: number } }>('convert');
  const { rows } = results<{ rows: { kb: number; clients: number; name: string; fps: number }[] }>('fanout');
  const { fps } = rows.find(({ kb, clients, name }) => kb === 16 && clients === 16 && name === 'product-ack')!;
  const measured = {
    env_steps_one_thread: STEPS / train.one_thread.collection_s,
    env_steps: STEPS / train.all_threads.collection_s,
    learned_steps: STEPS / train.all_threads.learning_s,
    converted_frames: (FPS * service.clip_s) / service.all_s,
    sent_frames: CLIENTS * fps,
  };
  expect(Object.keys(measured)).toEqual(Object.keys(REFERENCE));
  for (const [name, { value }] of Object.entries(REFERENCE)) {
    const ratio = measured[name as keyof typeof measured] / value;
    expect(Math.max(ratio, 1 / ratio), `${name}: ${ratio.toFixed(2)} × the reference`).toBeLessThan(MACHINES);
  }
});
