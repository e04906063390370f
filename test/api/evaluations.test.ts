import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Evaluation } from '../../src/protocol/schemas/evaluation.ts';
import { request } from '../support/client.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { call } from '../support/service-process.ts';
import { addSmallRun } from '../support/small-run.ts';
import { addConverted, ended, untilJob } from '../support/training.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();

const RUN = 'small/zero';
const CLIPS = ['squat', 'walk_forward'];
let joints: number;

beforeAll(async () => {
  joints = (await preparedHumanoid()).facts.joints.length;
  addSmallRun(path.join(studio.workspace, 'logs/rsl_rl'), joints, RUN);
  await studio.start();
  await addConverted(studio.address, studio.workspace, 'two', CLIPS);
}, 120_000);

const start = (body: object = {}) =>
  request(studio.address, 'POST /api/evaluate', { run: RUN, motion: 'data/humanoid/two', ...body });
const get = (name: string) => call<Evaluation>(studio.address, `/api/evaluations/${name}`);
const list = async (query: object = {}) =>
  (await request(studio.address, 'GET /api/evaluations', query)).body.evaluations;

/** Runs an evaluation to its end. */
async function evaluated(body: object = {}): Promise<Evaluation> {
  const reply = await start(body);
  if (reply.status !== 200) throw new Error(reply.body.detail);
  const job = await untilJob(studio.address, reply.body.job, ended, 120_000);
  if (job.status !== 'done') throw new Error(`${job.status}: ${job.error}\n${job.log.join('\n')}`);
  return get(reply.body.evaluation);
}
/** What must not depend on when and where an evaluation ran. */
const results = ({ summary, clips, joints: margins, robustness }: Evaluation) => ({
  summary,
  clips,
  margins,
  robustness,
});

test('an evaluation is listed without results at its start, and has tables in the requested order when it is done', async () => {
  const conditions = ['nominal', { name: 'friction=0.3', friction: 0.3 }, { name: 'friction=0.1', friction: 0.1 }];
  const { body } = await start({
    checkpoints: ['policy.onnx', ''],
    clips: ['walk_forward', 'squat'],
    starts: 2,
    conditions,
  });
  expect(body).toMatchObject({ ok: true });
  const early = (await list({ run: RUN }))[0]!;
  expect(early).toMatchObject({ name: body.evaluation, run: RUN, job: body.job });
  if (early.status !== 'done') expect([early.summary, early.robustness, early.gate]).toEqual([[], [], null]);
  expect(await call(studio.address, `/api/jobs/${body.job}`)).toMatchObject({ kind: 'evaluate', run: RUN, steps: 24 });
  const job = await untilJob(studio.address, body.job, ended, 120_000);
  expect(job).toMatchObject({ status: 'done', step: 24, steps: 24, progress: 1, dataset: 'two' });

  const done = await get(body.evaluation);
  expect(done).toMatchObject({
    status: 'done',
    protocol: { clips: 2, starts: 2, horizon_s: null, seed: 0, control_hz: 50, motion: 'data/humanoid/two' },
  });
  expect(done.protocol.model).toMatch(/^[0-9a-f]{64}$/);
  expect(done.protocol.failure).toContain('bad_anchor_ori 0.8');
  const names = ['nominal', 'friction=0.3', 'friction=0.1'];
  expect(done.summary.map(({ checkpoint, condition }) => [checkpoint, condition])).toEqual(
    ['policy.onnx', ''].flatMap((checkpoint) => names.map((condition) => [checkpoint, condition])),
  );
  expect(done.clips.slice(0, 3).map(({ condition, clip }) => [condition, clip])).toEqual([
    ['nominal', 'walk_forward'],
    ['nominal', 'squat'],
    ['friction=0.3', 'walk_forward'],
  ]);
  expect(done.clips).toHaveLength(12);
  expect(done.joints).toHaveLength(6 * joints);
  expect(done.robustness).toMatchObject([{ field: 'friction', values: [0.3, 0.1] }]);
  const { clips: _, joints: __, ...listed } = done;
  expect(await list()).toContainEqual(listed);
  // Finished units are not kept.
  const folder = path.join(studio.workspace, 'logs/rsl_rl', RUN, 'evaluations', body.evaluation);
  expect(readdirSync(folder).sort()).toEqual(['episodes.json', 'evaluation.json', 'results.json', 'tables.json']);
});

test('the score of a run is the score of its newest checkpoint on its own library, under nominal conditions', async () => {
  const score = async () => {
    const { runs } = (await request(studio.address, 'GET /api/runs', {})).body;
    return runs.find(({ path: name }) => name === RUN)!.score;
  };
  const others = [
    { starts: 1, conditions: ['noise'] },
    { starts: 1, horizon_s: 1 },
    { starts: 1, clips: ['squat'] },
  ];
  rmSync(path.join(studio.workspace, 'logs/rsl_rl', RUN, 'evaluations/score.yaml'), { force: true });
  for (const other of others) await evaluated({ motion: undefined, ...other });
  await expect.poll(score).toBeNull();
  const { summary } = await evaluated({ motion: undefined, starts: 1 });
  const { tracked_s: tracked, tracked_share: share, success, errors } = summary[0]!;
  const expected = { tracked_s: tracked, success, body_pos: errors.body_pos, by: 'evaluation' };
  await expect.poll(score).toMatchObject(expected);
  expect((await score())!.horizon_s).toBeCloseTo(tracked / share, 6);
});

test('a policy that holds the default pose falls on a walking clip: the row names frame, term and body', async () => {
  const { clips } = await evaluated({ clips: ['walk_forward'], starts: 1 });
  const { worst, success, tracked_share: share } = clips[0]!;
  expect(success).toBe(0);
  expect(share).toBeGreaterThan(0);
  expect(share).toBeLessThan(1);
  expect(worst.start).toBe(0);
  expect(worst.failed).toBeGreaterThan(0);
  expect(worst.term).toMatch(/^(anchor_pos|anchor_ori|ee_body_pos)$/);
  expect(worst.subject).not.toBeNull();
  expect(worst.value!).toBeGreaterThan(0);
});

test('the same evaluation twice has equal bits, also under random disturbances; another seed differs', async () => {
  const asked = { starts: 3, conditions: ['task'], horizon_s: 1 };
  const [one, two] = [await evaluated(asked), await evaluated(asked)];
  expect(one.name).not.toBe(two.name);
  expect(results(two)).toEqual(results(one));
  expect(results(await evaluated({ ...asked, seed: 1 }))).not.toEqual(results(one));
}, 120_000);

test('a gate reports value and result of each metric; the job of a failed gate is still done', async () => {
  const gate = { success: { min: 0.9 }, 'errors.body_pos': { max: 1000 } };
  const { gate: found, status, summary } = await evaluated({ clips: ['walk_forward'], starts: 1, gate });
  expect(status).toBe('done');
  expect(found).toEqual([
    { checkpoint: 'policy.onnx', metric: 'success', min: 0.9, value: 0, ok: false },
    {
      checkpoint: 'policy.onnx',
      metric: 'errors.body_pos',
      max: 1000,
      value: summary[0]!.errors.body_pos,
      ok: true,
    },
  ]);
});

test('an evaluation leaves out excluded clips', async () => {
  await request(studio.address, 'POST /api/data/mark', { dataset: 'two', clips: ['squat'], exclude: true });
  try {
    const { protocol, clips } = await evaluated({ starts: 1, horizon_s: 0.2 });
    expect(protocol.clips).toBe(1);
    expect(clips.map(({ clip }) => clip)).toEqual(['walk_forward']);
    expect((await start({ clips: ['squat'] })).body.detail).toMatch(/^clips: the library has no clip "squat"/);
  } finally {
    await request(studio.address, 'POST /api/data/mark', { dataset: 'two', clips: ['squat'], exclude: false });
  }
});

describe('an invalid request is refused by field and creates nothing', () => {
  const cases: [what: string, body: object, detail: RegExp][] = [
    ['an unknown run', { run: 'small/zeros' }, /^run: /],
    ['an unknown checkpoint', { checkpoints: ['model_1.pt'] }, /^checkpoint.*model_1.pt/],
    ['a checkpoint twice', { checkpoints: ['', ''] }, /^checkpoints: "" is named twice/],
    ['no checkpoint', { checkpoints: [] }, /^checkpoints: /],
    ['an unknown library', { motion: 'data/humanoid/twos' }, /^motion: .*did you mean "data\/humanoid\/two"/],
    ['an unknown clip', { clips: ['sqat'] }, /^clips: .*did you mean "squat"/],
    ['no starts', { starts: 0 }, /^starts: /],
    ['no horizon', { horizon_s: 0 }, /^horizon_s: /],
    ['an unknown condition', { conditions: ['nominl'] }, /^conditions: .*did you mean "nominal"/],
    ['an unknown setting of a condition', { conditions: [{ name: 'a', speed: 1 }] }, /^conditions/],
    ['a time step that does not fit', { conditions: [{ name: 'a', timestep: 0.003 }] }, /^conditions\.a\.timestep: /],
    ['two conditions of one name', { conditions: ['nominal', 'nominal'] }, /^conditions: two conditions/],
    ['a gate on an unknown metric', { gate: { succes: { min: 1 } } }, /^gate: .*did you mean "success"/],
    ['a gate without bounds', { gate: { success: {} } }, /^gate\.success: requires min or max/],
    ['an unknown launcher', { launcher: 'gpu' }, /^launcher: /],
    ['a resumption of nothing', { resume: '2026-01-01_00-00-00', motion: undefined }, /^resume: unknown evaluation/],
    [
      'too many episodes',
      { starts: 1000, conditions: manyConditions(200) },
      /^clips: the request needs 400000 episodes/,
    ],
  ];
  test.each(cases)(
    'an invalid evaluation request is refused by field and creates nothing: %s',
    async (_, body, detail) => {
      const before = await list();
      const reply = await start(body);
      expect([reply.status, reply.body.detail]).toEqual([400, expect.stringMatching(detail)]);
      expect(await list()).toEqual(before);
    },
  );
});

function manyConditions(count: number) {
  return Array.from({ length: count }, (_, k) => ({ name: `c${k}`, friction: 1 }));
}

test('an evaluation can be deleted once its job has ended; its run cannot be deleted during the evaluation', async () => {
  const { body } = await start({ starts: 200, conditions: ['robustness'] });
  await untilJob(studio.address, body.job, ({ step }) => (step ?? 0) > 0);
  const remove = async (where: string) => {
    const response = await fetch(`${studio.address}${where}`, { method: 'DELETE' });
    return [response.status, ((await response.json()) as { detail?: string }).detail];
  };
  const place = `/api/evaluations/${body.evaluation}`;
  expect(await remove(place)).toEqual([409, expect.stringContaining('stop it first')]);
  expect(await remove(`/api/runs?run=${RUN}`)).toEqual([409, expect.stringContaining(body.job)]);
  await call(studio.address, `/api/jobs/${body.job}/stop`, {});
  expect(await untilJob(studio.address, body.job, ended)).toMatchObject({ status: 'stopped' });
  expect(await get(body.evaluation)).toMatchObject({
    status: 'stopped',
    summary: [],
    clips: [],
    joints: [],
    gate: null,
  });
  expect(await remove(place)).toEqual([200, undefined]);
  expect(await remove(place)).toEqual([400, expect.stringMatching(/^name: unknown evaluation/)]);
  expect(existsSync(path.join(studio.workspace, 'logs/rsl_rl', RUN, 'evaluations', body.evaluation))).toBe(false);
});

test('a stopped evaluation that is resumed twice at once gets one job', async () => {
  const { body } = await start({ starts: 50, horizon_s: 1, conditions: ['robustness'] });
  await untilJob(studio.address, body.job, ({ step }) => (step ?? 0) > 0);
  await call(studio.address, `/api/jobs/${body.job}/stop`, {});
  await untilJob(studio.address, body.job, ended);
  const resume = () => start({ resume: body.evaluation, motion: undefined });
  const replies = await Promise.all([resume(), resume(), resume()]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const { job } = replies.find(({ status }) => status === 200)!.body;
  await call(studio.address, `/api/jobs/${job}/stop`, {});
  await untilJob(studio.address, job, ended);
});
