import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { formatYaml } from '../../src/core/yaml-file.ts';
import { dict, ordered, tensor, writeTorch } from '../../src/formats/torch/write-torch.ts';
import { finish, Listener, request } from '../support/client.ts';
import { useStudio } from '../support/use-studio.ts';
import { addWalker } from '../support/workspace.ts';

const studio = useStudio();

const JOINTS = ['left_hip_joint', 'left_knee_joint', 'right_hip_joint', 'right_knee_joint'];
const CHECKPOINT = writeTorch(
  dict([['actor_state_dict', ordered([['mlp.0.weight', tensor(new Float32Array(8), [4, 2])]])]]),
);

let runs: string;

function addRun(run: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = path.join(runs, run);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  }
  return folder;
}
const list = async () => (await request(studio.address, 'GET /api/runs')).body.runs;
const named = async (run: string) => (await list()).find((entry) => entry.path === run);

beforeAll(async () => {
  addWalker(studio.workspace);
  runs = path.join(studio.workspace, 'logs/rsl_rl');
  addRun('wbc_walker_se/2026-01-02_03-04-05', {
    'model_0.pt': CHECKPOINT,
    'model_250.pt': CHECKPOINT,
    'model_1000.pt': CHECKPOINT,
    'model_x.pt': 'no checkpoint',
    'params/env.yaml': 'commands: {motion: {motion_file: data/walker/steps/npz}}\n',
    'params/agent.yaml': 'experiment_name: wbc_walker_se\n',
    'params/config.yaml': formatYaml({ robot_id: 'other-name', joint_names: [...JOINTS].reverse() }),
  });
  await studio.start();
  expect(await finish(studio.address, 'POST /api/robot/select', { name: 'walker' })).toMatchObject({ state: 'done' });
});

describe('GET /api/runs', () => {
  test('a run of rsl_rl has its task, its robot by joint names, its dataset and its checkpoints by number', async () => {
    const run = (await named('wbc_walker_se/2026-01-02_03-04-05'))!;
    expect(run).toMatchObject({
      run_dir: 'wbc_walker_se',
      run: '2026-01-02_03-04-05',
      task: 'Wbc-Walker-SE',
      robot: 'walker',
      dataset: 'steps',
      format: 'rsl_rl',
      latest: 'model_1000.pt',
      job: null,
      error: null,
    });
    expect(run.checkpoints.map(({ name, iteration }) => [name, iteration])).toEqual([
      ['model_0.pt', 0],
      ['model_250.pt', 250],
      ['model_1000.pt', 1000],
    ]);
    const { body } = await request(studio.address, 'GET /api/robots');
    expect(body.robots.map(({ id, runs }) => [id, runs])).toEqual([
      ['humanoid', []],
      ['walker', ['wbc_walker_se/2026-01-02_03-04-05']],
    ]);
  });

  test('new, changed and deleted runs show at once, last changed first', async () => {
    const files = { 'params/task.yaml': formatYaml({ robot: 'walker', task: 'Wbc-Walker', joint_names: JOINTS }) };
    const folder = addRun('mine/first', files);
    expect(await named('mine/first')).toMatchObject({
      format: 'studio',
      checkpoints: [],
      latest: null,
      task: 'Wbc-Walker',
    });
    expect((await list())[0]?.path).toBe('mine/first');
    addRun('mine/first', { 'model_5.pt': CHECKPOINT });
    expect(await named('mine/first')).toMatchObject({ latest: 'model_5.pt' });
    rmSync(folder, { recursive: true });
    expect(await named('mine/first')).toBeUndefined();
  });

  test('with the version of an earlier reply, only later changes are listed', async () => {
    const since = async (version: string) => (await request(studio.address, 'GET /api/runs', { since: version })).body;
    const { version, runs: all } = (await request(studio.address, 'GET /api/runs')).body;
    expect(await since(version)).toEqual({ version, runs: [], removed: [] });
    const folder = addRun('mine/second', { 'params/task.yaml': formatYaml({ robot: 'walker', joint_names: JOINTS }) });
    const added = await since(version);
    expect(added).toMatchObject({
      runs: [{ path: 'mine/second', unplayable: 'it has no checkpoint yet' }],
      removed: [],
    });
    rmSync(folder, { recursive: true });
    expect(await since(added.version)).toMatchObject({ runs: [], removed: ['mine/second'] });
    for (const unknown of ['of another service', `${version}9`.replace(/^./, '-')]) {
      const reply = await since(unknown);
      expect(reply.runs).toHaveLength(all.length);
      expect(reply).not.toHaveProperty('removed');
    }
  });

  test('a run of another robot is not listed; a run of an unknown robot is listed with the reason', async () => {
    addRun('other/humanoid-run', { 'params/task.yaml': formatYaml({ robot: 'humanoid', joint_names: ['a'] }) });
    addRun('other/unknown', {
      'model_1.pt': CHECKPOINT,
      'params/task.yaml': formatYaml({ robot: 'zebra', joint_names: ['tail'] }),
    });
    expect(await named('other/humanoid-run')).toBeUndefined();
    expect(await named('other/unknown')).toMatchObject({
      robot: null,
      error: expect.stringMatching(/no robot "zebra"/),
    });
    // GET /api/play/runs is the same list: `unplayable` says which of its runs cannot be played.
    const { body } = await request(studio.address, 'GET /api/play/runs');
    expect(body.runs).toEqual(await list());
    expect(body.runs.map(({ path, unplayable }) => [path, unplayable])).toEqual([
      ['other/unknown', expect.stringMatching(/no robot "zebra"/)],
      ['wbc_walker_se/2026-01-02_03-04-05', null],
    ]);
  });

  test('damaged runs are listed with their error; other folders are not', async () => {
    addRun('broken/yaml', { 'params/env.yaml': 'a: [1,\nb: ]' });
    addRun('broken/bomb', { 'params/env.yaml': `a: ${'['.repeat(20_000)}` });
    addRun('broken/bad name', { 'params/env.yaml': '{}' });
    addRun('broken/notes', { 'readme.txt': 'no run' });
    mkdirSync(path.join(runs, 'broken/wandb_checkpoints/params'), { recursive: true });
    expect(await named('broken/yaml')).toMatchObject({
      robot: null,
      error: expect.stringMatching(/^params\/env\.yaml:\d+: /),
    });
    expect(await named('broken/bomb')).toMatchObject({ error: expect.stringMatching(/nested too deeply/) });
    expect(await named('broken/bad name')).toMatchObject({ error: expect.stringMatching(/Rename its folder/) });
    expect(await named('broken/notes')).toBeUndefined();
    expect((await list()).some((run) => run.path.includes('wandb'))).toBe(false);
    rmSync(path.join(runs, 'broken'), { recursive: true });
  });
});

describe('files of a run', () => {
  const file = (run: string, name: string) =>
    fetch(`${studio.address}/api/runs/file?${new URLSearchParams({ run, file: name })}`);
  const RUN = 'wbc_walker_se/2026-01-02_03-04-05';

  test('files of a run are downloaded unchanged', async () => {
    const response = await file(RUN, 'model_250.pt');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toContain('model_250.pt');
    expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), Buffer.from(CHECKPOINT))).toBe(0);
  });

  test('no request path can download a file outside of the run', async () => {
    const secret = path.join(studio.workspace, 'secret');
    writeFileSync(secret, 'secret');
    symlinkSync(secret, path.join(runs, RUN, 'link'));
    for (const name of [
      '../../../../secret',
      '/etc/passwd',
      'params/../../../../../secret',
      'link',
      'params',
      'gone',
      '',
    ]) {
      const response = await file(RUN, name);
      expect([name, response.status]).toEqual([name, 400]);
      expect(((await response.json()) as { detail: string }).detail).toMatch(/^file: /);
    }
    rmSync(path.join(runs, RUN, 'link'));
  });

  test('an unknown run is refused with the names of the known runs', async () => {
    for (const run of ['wbc_walker_se/gone', '../..', 'wbc_walker_se', '__proto__/x']) {
      const response = await file(run, 'model_0.pt');
      expect([run, response.status]).toEqual([run, 400]);
      expect(((await response.json()) as { detail: string }).detail).toMatch(/^run: unknown run/);
    }
    const empty = await file('', 'model_0.pt');
    expect(empty.status).toBe(400);
    expect(((await empty.json()) as { detail: string }).detail).toMatch(/^run: /);
  });
});

describe('DELETE /api/runs', () => {
  const remove = async (run: string) => {
    const response = await fetch(`${studio.address}/api/runs?${new URLSearchParams({ run })}`, { method: 'DELETE' });
    return { status: response.status, body: (await response.json()) as { detail?: string } };
  };

  test('deleting a run keeps the targets of links in it', async () => {
    const kept = path.join(studio.workspace, 'kept');
    mkdirSync(kept);
    writeFileSync(path.join(kept, 'file'), 'kept');
    const folder = addRun('mine/old', { 'model_1.pt': CHECKPOINT, 'params/env.yaml': '{}' });
    symlinkSync(kept, path.join(folder, 'videos'));
    expect(await remove('mine/old')).toEqual({ status: 200, body: { ok: true, undo: expect.any(String) } });
    expect(existsSync(folder)).toBe(false);
    expect(await named('mine/old')).toBeUndefined();
    expect(existsSync(path.join(kept, 'file'))).toBe(true);
  });

  test('deleting an unknown run or another folder is 400 and deletes nothing', async () => {
    cpSync(path.join(studio.workspace, 'robots/walker'), path.join(runs, 'mine/robot'), { recursive: true });
    for (const run of ['mine/gone', 'mine/robot', 'mine', '../robots/walker'])
      expect(await remove(run)).toMatchObject({
        status: 400,
        body: { detail: expect.stringMatching(/^run: unknown run/) },
      });
    expect(existsSync(path.join(runs, 'mine/robot/robot.yaml'))).toBe(true);
    expect(existsSync(path.join(studio.workspace, 'robots/walker/robot.yaml'))).toBe(true);
  });
});

describe('POST /api/runs/mark', () => {
  const mark = (body: object) => request(studio.address, 'POST /api/runs/mark', body);
  const marksOf = async (run: string) => {
    const { tags, note, favourite } = (await named(run))!;
    return { tags, note, favourite };
  };

  test('marks are kept beside the run; absent fields stay, empty ones clear, and clients are notified', async () => {
    addRun('mine/marked', { 'params/task.yaml': formatYaml({ robot: 'walker', joint_names: JOINTS }) });
    expect(await named('mine/marked')).toMatchObject({
      ...{ tags: [], note: '', favourite: false, score: null, started_from: null, minutes: null },
      unplayable: 'it has no checkpoint yet',
    });
    const listener = await Listener.open(studio.address);
    expect(
      await mark({ run: 'mine/marked', tags: ['calm', 'v2', 'calm'], note: 'slips', favourite: true }),
    ).toMatchObject({ status: 200, body: { ok: true } });
    expect(await listener.nextEvent('runs', () => true)).toEqual({ changed: ['mine/marked'] });
    listener.close();
    expect(await marksOf('mine/marked')).toEqual({ tags: ['calm', 'v2'], note: 'slips', favourite: true });
    expect(readFileSync(path.join(runs, 'mine/marked/marks.yaml'), 'utf8')).toContain('note: slips');
    await mark({ run: 'mine/marked', note: '', tags: null });
    expect(await marksOf('mine/marked')).toEqual({ tags: ['calm', 'v2'], note: '', favourite: true });
    await mark({ run: 'mine/marked', tags: [], favourite: false });
    expect(await marksOf('mine/marked')).toEqual({ tags: [], note: '', favourite: false });
  });

  test('concurrent changes of marks do not overwrite each other', async () => {
    addRun('mine/both', { 'params/task.yaml': formatYaml({ robot: 'walker', joint_names: JOINTS }) });
    const fields = [{ tags: ['a'] }, { note: 'b' }, { favourite: true }];
    await Promise.all(fields.map((field) => mark({ run: 'mine/both', ...field })));
    expect(await marksOf('mine/both')).toEqual({ tags: ['a'], note: 'b', favourite: true });
  });

  test.each([
    ['an unknown run', { run: 'mine/nowhere', note: 'x' }, /^run: unknown run/],
    ['no run', { note: 'x' }, /^run: /],
    ['a run outside', { run: '../../etc', note: 'x' }, /^run: /],
    ['a tag with a line break', { run: 'mine/both', tags: ['a\nb'] }, /^tags\[0\]: /],
    ['too many tags', { run: 'mine/both', tags: Array.from({ length: 33 }, (_, k) => `t${k}`) }, /^tags: /],
    ['a long note', { run: 'mine/both', note: 'x'.repeat(4001) }, /^note: /],
    ['a favourite that is not a boolean', { run: 'mine/both', favourite: 'yes' }, /^favourite: /],
    ['an unknown field', { run: 'mine/both', stars: 3 }, /stars/],
  ])('the mark %s is refused', async (_, body, detail) => {
    const reply = await mark(body);
    expect([reply.status, reply.body.detail]).toEqual([400, expect.stringMatching(detail)]);
  });

  test('damaged marks are listed as empty and are not overwritten', async () => {
    const files = { 'params/task.yaml': formatYaml({ robot: 'walker', joint_names: JOINTS }), 'marks.yaml': 'tags: 3' };
    const folder = addRun('mine/damaged', files);
    expect(await marksOf('mine/damaged')).toEqual({ tags: [], note: '', favourite: false });
    const { status, body } = await mark({ run: 'mine/damaged', note: 'x' });
    expect([status, body.detail]).toEqual([400, expect.stringMatching(/^marks\.yaml: tags: .*Correct or delete/)]);
    expect(readFileSync(path.join(folder, 'marks.yaml'), 'utf8')).toBe('tags: 3');
  });
});
