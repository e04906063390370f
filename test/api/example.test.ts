import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { call } from '../support/service-process.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();

const EXAMPLE = path.resolve(import.meta.dirname, '../../examples/train-and-play.mjs');

/** The exports of examples/client.mjs, which is plain JavaScript. */
interface ExampleClient {
  call(method: string, path: string, body?: object): Promise<Record<string, unknown>>;
  finished(job: string): Promise<unknown>;
}
const { connect } = (await import(path.resolve(EXAMPLE, '../client.mjs'))) as {
  connect(url: string, options: { waitS: number }): ExampleClient;
};

beforeAll(() => studio.start());

test('the example script does all steps from clips to a policy that plays', async () => {
  const url = studio.address;
  // The real-time factor is measured over a second.
  const short = ['--iterations', '3', '--envs', '16', '--seconds', '2'];
  const { stdout } = await promisify(execFile)(process.execPath, [EXAMPLE, '--url', url, ...short], {
    timeout: 150_000,
  });
  const result = JSON.parse(stdout) as Record<string, number | string>;
  expect(result).toMatchObject({ run: expect.stringMatching(/^wbc_humanoid\/\d{4}-\d{2}-\d{2}_.+_example$/) });
  // Three iterations teach nothing: episodes are about as long as with zero action, and far from ten seconds.
  expect(result['mean_episode_length']).toBeGreaterThan(20);
  expect(result['mean_episode_length']).toBeLessThan(300);
  expect(result['zero_action_mean_episode_length']).toBeGreaterThan(20);
  expect(result['realtime_factor']).toBeGreaterThan(0);
  const { runs } = await call<{ runs: { path: string; latest: string; job: string | null }[] }>(url, '/api/runs');
  expect(runs[0]).toMatchObject({ path: result['run'], latest: 'model_2.pt', job: 'train-example_squat-1' });
}, 180_000);

test.each([60, 0])(
  'the client of the examples waits for tasks and throws if one fails, with wait=%i',
  async (waitS) => {
    const url = studio.address;
    const client = connect(url, { waitS });
    await writeFile(path.join(studio.workspace, 'data/humanoid/samples/broken.csv'), '1,2,3\n');
    const load = (clip: string) => client.call('POST', '/api/data/load', { dataset: 'samples', clip });
    expect(await load('squat')).toMatchObject({ ok: true, busy: { state: 'done', error: null } });
    await expect(load('broken')).rejects.toThrow('POST /api/data/load: broken.csv');
    await expect(load('nowhere')).rejects.toThrow('POST /api/data/load: 400 clip: ');
    const { job } = (await client.call('POST', '/api/data/convert', {
      dataset: 'samples',
      which: 'selected',
      clips: ['broken'],
    })) as { job: string };
    await expect(client.finished(job)).rejects.toThrow(`${job} failed: `);
  },
);
