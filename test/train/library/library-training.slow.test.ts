import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readEvents } from '../../../src/formats/event-file/read-events.ts';
import { readTrainingCheckpoint } from '../../../src/runs/checkpoint/read-training-checkpoint.ts';
import { scanRun } from '../../../src/runs/store/scan-run.ts';
import type { LibraryPlan } from '../../../src/train/library/library-run.ts';
import { trainingOrder } from '../../support/training-order.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** The squat lasts 7.6 s: three chunks. */
const LIBRARY = { chunk_s: 3, overlap_s: 1, base: 2, experts: 8, distillation: 4 };

/** Runs the trainer in a separate process, like the service. */
async function train(
  file: string,
  onOutput: (text: string, kill: (signal: NodeJS.Signals) => void) => void = () => {},
  more: readonly string[] = [],
) {
  const args = ['dist/cli/job-process.js', 'train', file, ...more];
  const child = spawn(process.execPath, args, { cwd: ROOT });
  let output = '';
  const take = (chunk: Buffer) => {
    output += chunk.toString();
    onOutput(output, (signal) => child.kill(signal));
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal, output };
}

const checkpointsOf = (run: string) => readdirSync(run).filter((name) => name.endsWith('.pt'));
const expertsOf = (run: string) => path.join(run, 'experts');
const bytes = (folder: string, name: string) => readFileSync(path.join(folder, name));
const planOf = (run: string) => JSON.parse(readFileSync(path.join(run, 'experts/plan.json'), 'utf8')) as LibraryPlan;
const iterations = (output: string) =>
  [...output.matchAll(/ Learning iteration (\d+)\/(\d+) /g)].map(([, at, end]) => [Number(at), Number(end)]);

function scalarsOf(run: string): Map<string, number[]> {
  const scalars = new Map<string, number[]>();
  for (const file of readdirSync(run).filter((name) => name.includes('tfevents')))
    readEvents(readFileSync(path.join(run, file)), (tag, step) =>
      scalars.set(tag, [...(scalars.get(tag) ?? []), step]),
    );
  return scalars;
}

/** Trains to the end, once for all tests. */
const whole = (async () => {
  const { order, file } = await trainingOrder({ library: LIBRARY, threads: 2 });
  return { ...(await train(file)), run: order.runFolder };
})();

test('a training with experts is one run with continuous numbering: base policy, experts, one distilled policy', async () => {
  const { code, output, run } = await whole;
  expect(code, output).toBe(0);
  expect(iterations(output)).toEqual(Array.from({ length: 14 }, (_, k) => [k, 14]));
  const plan = planOf(run);
  expect(plan).toMatchObject({ first: 2, end: 14, distilled: true });
  expect(plan.experts.map(({ name }) => name)).toEqual(['squat 0.0–3.2 s', 'squat 2.2–5.4 s', 'squat 4.4–7.6 s']);
  expect(plan.experts.reduce((sum, expert) => sum + expert.iterations, 0)).toBe(8);
  for (const k of [0, 1, 2]) {
    const { iteration } = await readTrainingCheckpoint(path.join(expertsOf(run), `000${k}.pt`));
    expect(iteration).toBe(plan.experts[k]!.iterations - 1);
  }
  // The last checkpoint is the distilled policy; listings show no expert.
  const scanned = scanRun(path.dirname(path.dirname(run)), path.basename(path.dirname(run)), path.basename(run))!;
  expect(scanned.checkpoints.at(-1)!.name).toBe('model_13.pt');
  expect(scanned.checkpoints.map(({ iteration }) => iteration)).toEqual([0, 1, 11, 12, 13]);
  expect(scanRun(path.dirname(run), path.basename(run), 'experts')?.checkpoints ?? []).toEqual([]);
  const last = await readTrainingCheckpoint(path.join(run, 'model_13.pt'));
  expect(last.envSteps).toBe(14 * 24 * 8);
  const scalars = scalarsOf(run);
  expect(scalars.get('Loss/distillation')).toEqual([10, 11, 12, 13]);
  expect(scalars.get('Experts/003_mean_episode_length')!.length).toBeGreaterThan(0);
  expect(scalars.get('Eval/mean_episode_length')).toEqual([1, 11, 13]);
  expect(output).toMatch(/^Evaluation from other starts: [\d.]+ s, [\d.]+ % full/m);
}, 240_000);

test('a kill while experts are trained costs only unfinished experts; the resumed run equals an uninterrupted one', async () => {
  const { run, output } = await whole;
  const killed = await trainingOrder({ library: LIBRARY, threads: 1 });
  const same = await trainingOrder({ library: LIBRARY, threads: 1 });
  const ended = await train(killed.file, (text, kill) => {
    if (text.includes('[INFO] Finished expert')) kill('SIGKILL');
  });
  expect(ended.signal, ended.output).toBe('SIGKILL');
  const begun = killed.order.runFolder;
  const finished = readdirSync(expertsOf(begun)).filter((name) => /^\d{4}\.json$/.test(name));
  expect(finished.length).toBeGreaterThan(0);
  expect(finished.length).toBeLessThan(3);

  const resume = path.join(begun, 'model_1.pt');
  const next = await trainingOrder({ library: LIBRARY, threads: 1, resume });
  const resumed = await train(next.file);
  expect(resumed.code, resumed.output).toBe(0);
  const to = next.order.runFolder;
  for (const name of finished.map((name) => name.replace('json', 'pt')))
    expect(statSync(path.join(expertsOf(to), name)).ino).toBe(statSync(path.join(expertsOf(begun), name)).ino);
  const [first] = iterations(resumed.output)[0]!;
  expect(first).toBeGreaterThan(2);
  expect(iterations(resumed.output).at(-1)).toEqual([13, 14]);

  expect((await train(same.file)).code).toBe(0);
  expect(bytes(to, 'model_13.pt').equals(bytes(same.order.runFolder, 'model_13.pt'))).toBe(true);
  // One seed gives the same bits for the same number of threads.
  const again = await trainingOrder({ library: LIBRARY, threads: 2 });
  expect((await train(again.file)).code, output).toBe(0);
  for (const name of checkpointsOf(run)) expect(bytes(again.order.runFolder, name).equals(bytes(run, name))).toBe(true);
}, 480_000);

test('a kill or a stop during the distillation keeps all experts and the progress of the student', async () => {
  const begun = await trainingOrder({ library: { ...LIBRARY, distillation: 400 } });
  const killed = await train(begun.file, (text, kill) => {
    if (/Learning iteration 15\//.test(text)) kill('SIGKILL');
  });
  expect(killed.signal, killed.output).toBe('SIGKILL');
  const run = begun.order.runFolder;
  const latest = Math.max(...checkpointsOf(run).map((name) => Number(/\d+/.exec(name)![0])));
  expect(latest).toBeGreaterThanOrEqual(12);
  const resume = path.join(run, `model_${latest}.pt`);
  const next = await trainingOrder({ library: LIBRARY, resume });
  const stopped = await train(next.file, (text, kill) => {
    if (/Learning iteration \d+\/410 /.test(text)) kill('SIGTERM');
  });
  expect(stopped.code, stopped.output).toBe(143);
  expect(iterations(stopped.output)[0]).toEqual([latest + 1, 410]);
  expect(stopped.output).not.toContain('expert 1/3');
  expect(planOf(next.order.runFolder)).toEqual(planOf(run));
}, 240_000);

test('a helper trains experts beside the leading process, with the same result', async () => {
  const library = { ...LIBRARY, experts: 60 };
  const helped = await trainingOrder({ library: { ...library, helpers: 1 }, threads: 1 });
  const [leader, helper] = await Promise.all([train(helped.file), train(helped.file, () => {}, ['--helper'])]);
  expect([leader.code, helper.code], leader.output + helper.output).toEqual([0, 0]);
  expect(leader.output).toContain('[INFO] A helper has trained an expert');
  const run = helped.order.runFolder;
  expect(readdirSync(expertsOf(run)).filter((name) => name.endsWith('.claim'))).toEqual([]);
  const last = iterations(leader.output).at(-1)!;
  expect(last).toEqual([65, 66]);
  const alone = await trainingOrder({ library, threads: 1 });
  expect((await train(alone.file)).code).toBe(0);
  const name = 'model_65.pt';
  expect(bytes(run, name).equals(bytes(alone.order.runFolder, name))).toBe(true);
}, 480_000);
