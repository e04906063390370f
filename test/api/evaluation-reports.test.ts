import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Evaluation } from '../../src/protocol/schemas/evaluation.ts';
import { finish, request } from '../support/client.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { call } from '../support/service-process.ts';
import { addSmallRun } from '../support/small-run.ts';
import { addConverted, ended, untilJob } from '../support/training.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();

const RUN = 'small/zero';
const ROOT = path.resolve(import.meta.dirname, '../..');
/** Metrics of the evaluations of this file: a policy that holds the default pose, over a squat and a walk. */
let evaluation: Evaluation;

beforeAll(async () => {
  const joints = (await preparedHumanoid()).facts.joints.length;
  addSmallRun(path.join(studio.workspace, 'logs/rsl_rl'), joints, RUN);
  await studio.start();
  await addConverted(studio.address, studio.workspace, 'two', ['squat', 'walk_forward']);
  evaluation = await evaluated({ checkpoints: ['policy.onnx', ''] });
}, 120_000);

async function evaluated(body: object): Promise<Evaluation> {
  const started = await request(studio.address, 'POST /api/evaluate', {
    run: RUN,
    motion: 'data/humanoid/two',
    starts: 2,
    ...body,
  });
  if (started.status !== 200) throw new Error(started.body.detail);
  const job = await untilJob(studio.address, started.body.job, ended, 120_000);
  if (job.status !== 'done') throw new Error(`${job.status}: ${job.error}`);
  return call<Evaluation>(studio.address, `/api/evaluations/${started.body.evaluation}`);
}

/** Runs a program with the `motion-studio` command on its `PATH`. @returns exit code and output */
async function run(program: string, args: readonly string[], env: Record<string, string> = {}) {
  const bin = path.join(studio.folder, 'bin');
  if (!existsSync(bin)) {
    mkdirSync(bin);
    symlinkSync(path.join(ROOT, 'bin/motion-studio.cjs'), path.join(bin, 'motion-studio'));
  }
  const options = {
    cwd: studio.folder,
    env: { PATH: `${bin}:${process.env['PATH']}`, MOTION_STUDIO_URL: studio.address, ...env },
  };
  try {
    return { code: 0, ...(await promisify(execFile)(program, [...args], options)) };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}
const evaluate = (...args: string[]) =>
  run('motion-studio', ['evaluate', RUN, '--motion', 'data/humanoid/two', '--starts', '2', ...args]);
const file = (name: string) => path.join(studio.folder, name);

describe('reports', () => {
  const report = (format: string) =>
    fetch(`${studio.address}/api/evaluations/${evaluation.name}/report?format=${format}`);

  test('HTML, JSON and CSV reports are served with their types; the HTML runs in a sandbox', async () => {
    const html = await report('html');
    expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html.headers.get('content-security-policy')).toMatch(/^sandbox allow-scripts; default-src 'none'/);
    expect(await html.text()).toContain(`<h1>Evaluation ${evaluation.name}</h1>`);
    const csv = await report('csv');
    expect(csv.headers.get('content-type')).toMatch(/^text\/csv/);
    const lines = (await csv.text()).split('\r\n');
    expect(lines.filter((line) => line.startsWith('episode,'))).toHaveLength(2 * 2 * 2);
    const json = (await (await report('json')).json()) as Evaluation & {
      episodes: { checkpoint: string; episodes: { clip: number; start: number }[] }[];
      clip_names: string[];
    };
    expect(json).toMatchObject({ ...evaluation, clip_names: ['squat', 'walk_forward'] });
    expect(json.episodes.map(({ checkpoint }) => checkpoint)).toEqual(['policy.onnx', '']);
    expect(json.episodes[0]!.episodes.map(({ clip }) => clip)).toEqual([0, 0, 1, 1]);
  });

  test('a report of an unknown evaluation or in an unknown format is refused', async () => {
    expect(await (await fetch(`${studio.address}/api/evaluations/none/report`)).json()).toMatchObject({
      detail: expect.stringContaining('unknown evaluation "none"'),
    });
    expect((await report('pdf')).status).toBe(400);
  });
});

describe('comparison', { timeout: 120_000 }, () => {
  const compare = (query: object) => request(studio.address, 'GET /api/evaluations/compare', query);

  test('two evaluations of the same policy differ by exactly 0', async () => {
    const again = await evaluated({ checkpoints: ['policy.onnx', ''] });
    const { body } = await compare({ a: evaluation.name, b: again.name });
    expect(body.differences).toHaveLength(12);
    for (const { metric, mean, low, high } of body.differences)
      expect([metric, mean, low, high]).toEqual([metric, 0, 0, 0]);
  });

  test('a comparison has the values of the summaries, and its interval contains the difference', async () => {
    const { body } = await compare({ a: evaluation.name, b: evaluation.name, b_checkpoint: '' });
    const [a, b] = evaluation.summary;
    const tracked = body.differences.find(({ metric }) => metric === 'tracked_s')!;
    expect(tracked.a).toBeCloseTo(a!.tracked_s, 12);
    expect(tracked.b).toBeCloseTo(b!.tracked_s, 12);
    expect(tracked.low).toBeLessThanOrEqual(tracked.mean);
    expect(tracked.high).toBeGreaterThanOrEqual(tracked.mean);
    const jerk = body.differences.find(({ metric }) => metric === 'jerk')!;
    expect(jerk.a).toBeCloseTo(a!.jerk, 6);
  });

  test('comparing evaluations of other episodes is refused, naming what differs', async () => {
    const other = await evaluated({ clips: ['squat'], seed: 3 });
    const { status, body } = await compare({ a: evaluation.name, b: other.name });
    expect(status).toBe(400);
    expect(body.detail).toContain('in clips, seed: evaluate both with the same settings');
  });
});

describe('failures to data', () => {
  const collect = (body: object) =>
    finish(studio.address, `POST /api/evaluations/${evaluation.name}/dataset` as never, body);
  const folder = () => path.join(studio.workspace, 'data/humanoid/falls');

  test('the stretches around failures become a dataset of raw clips with recipes', async () => {
    const failed = evaluation.clips.filter(({ worst }) => worst.failed !== null);
    expect(failed.length).toBeGreaterThan(0);
    expect(await collect({ dataset: 'falls', below: 1, margin_s: 0.5 })).toMatchObject({
      state: 'done',
      result: { dataset: 'falls' },
    });
    const files = readdirSync(path.join(folder(), 'raw')).sort();
    expect(files).toContain('walk_forward_fail1.csv');
    expect(files).toContain('walk_forward_fail1.recipe.yaml');
    const recipe = readFileSync(path.join(folder(), 'raw/walk_forward_fail1.recipe.yaml'), 'utf8');
    expect(recipe).toMatch(/trim:\s+from_s:/);
    const { datasets } = (await request(studio.address, 'GET /api/data/datasets')).body;
    const made = datasets.find(({ name }) => name === 'falls');
    expect(made?.source).toBe(files.filter((name) => name.endsWith('.csv')).length);
  });

  test('failures to data: a taken name, a bound without failures below it, and an invalid name are refused', async () => {
    await expect(collect({ dataset: 'two', below: 1 })).rejects.toThrow(
      '400 dataset: robot "humanoid" already has a dataset',
    );
    await expect(collect({ dataset: '../x', below: 1 })).rejects.toThrow('400 dataset: ');
    await expect(collect({ dataset: 'few', below: 0.001, checkpoint: 'no' })).rejects.toThrow('400 checkpoint: ');
    expect(existsSync(path.join(studio.workspace, 'data/humanoid/few'))).toBe(false);
  });
});

describe('the evaluate command', { timeout: 180_000 }, () => {
  test('the evaluate command exits with 0 if all gates pass and 3 if one fails, and names each gate', async () => {
    const kept = await evaluate('--gate', 'tracked_s>=0.01', '--clip', 'squat');
    expect(kept.stdout).toContain('PASS tracked_s');
    expect(kept.code).toBe(0);
    const missed = await evaluate('--gate', 'success>=99%', '--gate', 'errors.body_pos<=1000');
    expect(missed.stdout).toMatch(/FAIL success [\d.]+ ≥ 0\.99/);
    expect(missed.stdout).toContain('PASS errors.body_pos');
    expect(missed.stdout).toMatch(/walk_forward: success .* fails at \d+\.\d\d s by \w+/);
    expect(missed.code).toBe(3);
  });

  test('the evaluate command prints one document with --json, and saves reports', async () => {
    const { stdout, code } = await evaluate(
      '--wait',
      '--json',
      '--report',
      'r.html',
      '--report',
      'r.csv',
      '--gate',
      'success>=0',
    );
    expect(code).toBe(0);
    const read = JSON.parse(stdout) as { evaluation: Evaluation; ok: boolean };
    expect(read).toMatchObject({ ok: true, evaluation: { run: RUN, status: 'done' } });
    expect(readFileSync(file('r.html'), 'utf8')).toMatch(/^<!doctype html>/);
    expect(readFileSync(file('r.csv'), 'utf8')).toMatch(/^kind,checkpoint,/);
  });

  test('the evaluate command writes a baseline; the same policy passes it, and a stricter baseline fails', async () => {
    expect(await evaluate('--baseline', 'base.json')).toMatchObject({ code: 2 });
    expect(await evaluate('--baseline', 'base.json', '--update')).toMatchObject({ code: 0 });
    const base = JSON.parse(readFileSync(file('base.json'), 'utf8')) as {
      version: number;
      metrics: Record<string, { value: number; better: string }>;
    };
    expect(base.version).toBe(1);
    expect(base.metrics['success']?.better).toBe('high');
    expect(await evaluate('--baseline', 'base.json')).toMatchObject({ code: 0 });
    base.metrics = { tracked_s: { value: base.metrics['tracked_s']!.value * 1.1, better: 'high' } };
    writeFileSync(file('base.json'), JSON.stringify(base));
    const missed = await evaluate('--baseline', 'base.json');
    expect(missed.stdout).toMatch(/FAIL tracked_s/);
    expect(missed.code).toBe(3);
    expect(await evaluate('--baseline', 'base.json', '--tolerance', '0.2')).toMatchObject({ code: 0 });
  });

  test('the evaluate command exits with 1 and one sentence for an unknown run', async () => {
    const { code, stderr } = await run('motion-studio', ['evaluate', 'small/none', '--wait']);
    expect(code).toBe(1);
    expect(stderr).toContain('run: ');
  });
});

test('the script of the continuous-integration workflow exits with 0 and with 3', { timeout: 180_000 }, async () => {
  const script = path.join(ROOT, 'examples/ci/evaluate.sh');
  const env = { RUN, MOTION: 'data/humanoid/two' };
  const passed = await run(script, [], { ...env, GATES: 'tracked_s>=0.01 errors.body_pos<=1000' });
  expect(passed).toMatchObject({ code: 0 });
  expect(readFileSync(file('report.html'), 'utf8')).toContain('✓ passed');
  const missed = await run(script, [], { ...env, GATES: 'success>=0.99' });
  expect(missed).toMatchObject({ code: 3 });
  expect(readFileSync(file('report.html'), 'utf8')).toContain('▲ missed');
  const baseline = { ...env, GATES: 'tracked_s>=0.01', BASELINE: 'committed.json' };
  expect(await run(script, [], { ...baseline, UPDATE_BASELINE: '1' })).toMatchObject({ code: 0 });
  expect(await run(script, [], baseline)).toMatchObject({ code: 0 });
  const better = { version: 1, metrics: { tracked_s: { value: 1000, better: 'high' } } };
  writeFileSync(file('committed.json'), JSON.stringify(better));
  expect(await run(script, [], baseline)).toMatchObject({ code: 3, stdout: expect.stringContaining('FAIL tracked_s') });
  expect(await run(script, [], { MOTION: 'x' })).toMatchObject({
    code: expect.any(Number),
    stderr: expect.stringContaining('set RUN'),
  });
});
