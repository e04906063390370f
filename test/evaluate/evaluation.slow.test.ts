import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EvaluationOrder, ORDER_FILE, ORDER_VERSION } from '../../src/evaluate/evaluation-order.ts';
import type { LibraryFile } from '../../src/motion/library/load-motion-library.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { addSmallRun } from '../support/small-run.ts';
import { trainingOrder } from '../support/training-order.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const RESULTS = ['episodes.json', 'results.json', 'tables.json'];

let folder: string;
let runFolder: string;
let robot: EvaluationOrder['robot'];
let files: readonly LibraryFile[];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'motion-studio-evaluate-'));
  const training = await trainingOrder();
  ({ robot } = training.order);
  files = training.order.clips;
  runFolder = addSmallRun(folder, (await preparedHumanoid()).facts.joints.length, 'small/zero');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes an order. @returns its file and the folder of the evaluation */
function order(name: string, changes: Partial<EvaluationOrder> = {}) {
  const evaluation = path.join(folder, name);
  mkdirSync(evaluation);
  const complete: EvaluationOrder = {
    version: ORDER_VERSION,
    folder: evaluation,
    run: { folder: runFolder, format: 'deploy' },
    checkpoints: ['policy.onnx', ''],
    conditions: [
      { name: 'task', pushes: true, noise_scale: 1, randomised: true },
      { name: 'late', delay_steps: 2 },
    ],
    robot,
    files,
    clips: ['squat'],
    starts: 20,
    horizonS: null,
    seed: 7,
    gate: null,
    scores: null,
    threads: 1,
    ...changes,
  };
  const file = path.join(folder, `${name}-${ORDER_FILE}`);
  writeFileSync(file, JSON.stringify(complete));
  return { file, evaluation };
}

/** Runs an evaluation in a process of its own, as the service does. @param onOutput may end it */
async function evaluate(
  file: string,
  onOutput: (text: string, kill: (signal: NodeJS.Signals) => void) => void = () => {},
) {
  const child = spawn(process.execPath, ['dist/cli/job-process.js', 'evaluate', file], { cwd: ROOT });
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
const contentOf = (evaluation: string) => RESULTS.map((name) => readFileSync(path.join(evaluation, name), 'utf8'));

test('one thread and three threads give the same bits; so does a run after kill -9, SIGTERM and a damaged unit', async () => {
  const whole = order('whole');
  const first = await evaluate(whole.file);
  expect(first.code, first.output).toBe(0);
  expect(first.output).toContain('[INFO] Evaluated 80/80 episodes');
  const wanted = contentOf(whole.evaluation);
  expect(readdirSync(whole.evaluation).sort()).toEqual(RESULTS);

  const spread = order('spread', { threads: 3 });
  expect((await evaluate(spread.file)).code).toBe(0);
  expect(contentOf(spread.evaluation)).toEqual(wanted);

  const cut = order('cut', { threads: 2 });
  const killed = await evaluate(cut.file, (text, kill) => {
    if (text.includes('Evaluated 10/80')) kill('SIGKILL');
  });
  expect(killed.signal).toBe('SIGKILL');
  const units = path.join(cut.evaluation, 'units');
  const kept = readdirSync(units).filter((name) => /^\d+\.json$/.test(name));
  expect(kept.length).toBeGreaterThanOrEqual(10);
  expect(RESULTS.some((name) => existsSync(path.join(cut.evaluation, name)))).toBe(false);
  writeFileSync(path.join(units, kept[0]!), '{"episodes": [');

  const stopped = await evaluate(cut.file, (text, kill) => {
    if (text.includes('Evaluated 30/80')) kill('SIGTERM');
  });
  expect([stopped.code, stopped.signal]).toEqual([143, null]);
  expect(stopped.output).not.toContain('Evaluated 0/80');
  const resumed = await evaluate(cut.file);
  expect(resumed.code, resumed.output).toBe(0);
  expect(contentOf(cut.evaluation)).toEqual(wanted);
}, 240_000);

test('an evaluation that cannot be written fails with one sentence, and leaves no results', async () => {
  const { file, evaluation } = order('blocked');
  // A unit cannot replace a folder of its name.
  mkdirSync(path.join(evaluation, 'units/0.json/full'), { recursive: true });
  const { code, output } = await evaluate(file);
  expect(code).toBe(1);
  expect(output).toMatch(/^evaluate: .*/m);
  expect(existsSync(path.join(evaluation, 'results.json'))).toBe(false);
});

test("an order with an unknown clip is refused with the clip's name", async () => {
  const { code, output } = await evaluate(order('unknown', { clips: ['jump'] }).file);
  expect([code, output]).toEqual([
    1,
    'evaluate: clips: the library has no clip "jump"; it may be excluded, or not converted\n',
  ]);
});
