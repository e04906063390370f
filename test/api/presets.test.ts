import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { problemOf } from '../../src/core/validation.ts';
import { YamlText } from '../../src/core/yaml-file.ts';
import { finish, Listener, request } from '../support/client.ts';
import { useStudio } from '../support/use-studio.ts';
import { addWalker } from '../support/workspace.ts';

const studio = useStudio();

beforeAll(async () => {
  addWalker(studio.workspace);
  await studio.start();
  await finish(studio.address, 'POST /api/robot/select', { name: 'walker' });
});

const BASES = ['Wbc-Walker', 'Wbc-Walker-SE', 'Wbc-Walker-Zest', 'Wbc-Walker-Zest-SE', 'Wbc-Walker-BinaryFailure'];
const fileOf = (kind: 'presets' | 'modules', name: string) =>
  path.join(studio.workspace, 'config/walker', kind, `${name}.yaml`);

/** @param key such as `PUT /api/presets/rough` */
async function call(
  key: string,
  body?: object,
): Promise<{ status: number; body: Record<string, never> & { detail?: string } }> {
  const [method = 'GET', place = '/'] = key.split(' ');
  const response = await fetch(studio.address + place, {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: (await response.json()) as never };
}

const list = async () => (await request(studio.address, 'GET /api/presets')).body;
const presetNamed = async (name: string) => (await list()).presets.find((preset) => preset.name === name);
const taskNames = async () => (await request(studio.address, 'GET /api/tasks')).body.tasks.map((task) => task.name);

test('a robot has its five base tasks, the plain one first, in every list of tasks', async () => {
  expect(await taskNames()).toEqual(BASES);
  expect((await request(studio.address, 'GET /api/robot')).body.tasks).toEqual(BASES);
  const { robots } = (await request(studio.address, 'GET /api/robots')).body;
  expect(robots.find(({ id }) => id === 'walker')?.tasks).toEqual(BASES);
  expect(robots.find(({ id }) => id === 'humanoid')?.tasks?.[0]).toBe('Wbc-Humanoid');
  expect((await list()).directory).toBe(path.join(studio.workspace, 'config/walker'));
});

test('a saved preset is read back, listed, a task, a file and an event', async () => {
  const listener = await Listener.open(studio.address);
  const preset = {
    base: 'Wbc-Walker',
    overrides: { observations: { actor: { terms: { base_ang_vel: { noise_scale: 1.5 } } } } },
    modules: [],
    description: 'Noisier gyro',
  };
  const { status, body } = await call('PUT /api/presets/noisy', preset);
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({ ok: true, name: 'noisy', task: 'Wbc-Walker--noisy', error: null, ...preset }),
  ]);
  expect((await call('GET /api/presets/noisy')).body).toMatchObject({ name: 'noisy', ...preset });
  expect(await taskNames()).toEqual([...BASES, 'Wbc-Walker--noisy']);
  expect((await request(studio.address, 'GET /api/robot')).body.tasks).toEqual([...BASES, 'Wbc-Walker--noisy']);
  const text = readFileSync(fileOf('presets', 'noisy'), 'utf8');
  expect(new YamlText(text, 'noisy.yaml').value).toEqual(preset);
  await listener.nextEvent(
    'presets',
    ({ kind, name, reason }) => kind === 'preset' && name === 'noisy' && reason === 'written',
  );
  expect((await call('DELETE /api/presets/noisy')).body).toEqual({ ok: true, undo: expect.any(String) });
  await listener.nextEvent('presets', ({ name, reason }) => name === 'noisy' && reason === 'deleted');
  expect(await taskNames()).toEqual(BASES);
  expect((await call('GET /api/presets/noisy')).status).toBe(400);
  listener.close();
});

test('omitted fields of a preset are empty', async () => {
  const { body } = await call('PUT /api/presets/plain', { base: 'Wbc-Walker' });
  expect(body).toMatchObject({ overrides: {}, modules: [], description: '', error: null });
  await call('DELETE /api/presets/plain');
});

test('a dry run checks a preset, reports its effect and writes nothing', async () => {
  const overrides = { observations: { actor: { terms: { torso_ang_vel: {} }, history_length: 2 } } };
  const { status, body } = await call('PUT /api/presets/tried', { base: 'Wbc-Walker', overrides, dry_run: true });
  expect(status).toBe(200);
  const effect = (body as unknown as { effect: { observations: { group: string; dim: number; base: number }[] } })
    .effect;
  const actor = effect.observations.find(({ group }) => group === 'actor')!;
  expect(actor.dim).toBe(2 * (actor.base + 3));
  expect(await presetNamed('tried')).toBeUndefined();
  expect((await call('GET /api/presets/tried')).status).toBe(400);
});

describe('the schema', () => {
  const schema = async (query: object) => (await request(studio.address, 'GET /api/presets/schema', query)).body;

  test('the schema has a knob for each value with its default, and all terms with their dimensions', async () => {
    const { base, knobs, observation_terms, reward_terms, termination_terms } = await schema({ base: 'Wbc-Walker' });
    expect(base).toBe('Wbc-Walker');
    const knob = (at: string) => knobs.find((one) => one.path === at);
    expect(knob('rewards.action_rate_l1.weight')).toMatchObject({ type: 'number', default: -0.1, value: -0.1 });
    expect(knob('observations.actor.terms.base_ang_vel.noise_scale')).toMatchObject({
      type: 'number',
      default: 1,
      minimum: 0,
    });
    expect(knob('scene.terrain.type')).toMatchObject({ type: 'enum', enum: ['plane', 'rough', 'slopes', 'stairs'] });
    expect(knob('decimation')).toMatchObject({ type: 'integer', default: 4, value: 4 });
    expect(knobs.some(({ path: at }) => at.startsWith('agent.algorithm.'))).toBe(true);
    expect(knobs.every(({ description }) => description.length > 0)).toBe(true);
    // the walker has 4 joints
    expect(observation_terms.find(({ name }) => name === 'joint_pos_rel')).toMatchObject({ dim: 4 });
    expect(reward_terms.map(({ name }) => name)).toContain('feet_slip');
    expect(termination_terms.map(({ name }) => name)).toContain('time_out');
  });

  test('the schema shows values after the modules and defaults of the base', async () => {
    await call('PUT /api/modules/hard', { overrides: { decimation: 8 } });
    await call('PUT /api/modules/harder', { overrides: { decimation: 10 } });
    const { knobs, modules } = await schema({ base: 'Wbc-Walker', modules: 'hard,harder' });
    expect(modules).toEqual(['hard', 'harder']);
    expect(knobs.find((one) => one.path === 'decimation')).toMatchObject({ default: 4, value: 10 });
    for (const name of ['hard', 'harder']) await call(`DELETE /api/modules/${name}`);
  });

  test('the schema is answered with 304 until a module changes', async () => {
    await call('PUT /api/modules/hard', { overrides: { decimation: 8 } });
    const get = (etag: string) =>
      fetch(`${studio.address}/api/presets/schema?base=Wbc-Walker&modules=hard`, {
        headers: { 'if-none-match': etag },
      });
    const etag = (await get('"none"')).headers.get('etag')!;
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    expect((await get(etag)).status).toBe(304);
    await call('PUT /api/modules/hard', { overrides: { decimation: 9 } });
    const changed = await get(etag);
    expect([changed.status, changed.headers.get('etag') === etag]).toEqual([200, false]);
    const { knobs } = (await changed.json()) as { knobs: { path: string; value: unknown }[] };
    expect(knobs.find(({ path }) => path === 'decimation')?.value).toBe(9);
    await call('DELETE /api/modules/hard');
  });

  test('the JSON Schema accepts and refuses the same presets as the service', async () => {
    const { json_schema } = await schema({ base: 'Wbc-Walker' });
    // a few of the knobs only: compiling the whole schema takes seconds
    const whole = json_schema as { properties: Record<string, object> };
    const { rewards, decimation } = whole.properties;
    const part = { ...whole, properties: { rewards, decimation } };
    const accepts = (overrides: object) => problemOf(part as never, overrides) === null;
    expect(accepts({ rewards: { feet_slip: { weight: -0.1 }, survival: null }, decimation: 2 })).toBe(true);
    expect(accepts({ rewards: { feet_slip: { wieght: -0.1 } } })).toBe(false);
    expect(accepts({ decimation: 0 })).toBe(false);
  });

  test.each([
    [{ base: 'Wbc-Wlaker' }, 'Wbc-Walker'],
    [{ base: 'Wbc-Walker', modules: 'none' }, 'none'],
    [{}, 'base'],
  ])('the preset name %j is refused by name', async (query, named) => {
    const { status, body } = await request(studio.address, 'GET /api/presets/schema', query);
    expect(status).toBe(400);
    expect(body.detail).toContain(named);
  });
});

describe('an invalid preset is refused by name and writes nothing', () => {
  test.each([
    [
      'bad',
      { base: 'Wbc-Walker', overrides: { rewards: { action_rate_l1: { wieght: 1 } } } },
      'rewards.action_rate_l1.weight',
    ],
    [
      'bad',
      { base: 'Wbc-Walker', overrides: { rewards: { action_rate_l1: { weight: 'x' } } } },
      'rewards.action_rate_l1.weight',
    ],
    ['bad', { base: 'Wbc-Walker', overrides: { decimation: 0 } }, 'decimation: must be an integer'],
    [
      'bad',
      { base: 'Wbc-Walker', overrides: { rewards: { motion_body_pos: { params: { body_names: ['nose'] } } } } },
      'rewards.motion_body_pos.params.body_names',
    ],
    [
      'bad',
      { base: 'Wbc-Walker', overrides: { observations: { actor: { terms: { base_ang_vel: { scale: [1, 2] } } } } } },
      'observations.actor.terms.base_ang_vel.scale',
    ],
    ['bad', { base: 'Wbc-Walker', overrides: { actions: { joint_pos: { scale: [1] } } } }, 'actions.joint_pos.scale'],
    [
      'bad',
      { base: 'Wbc-Walker', overrides: { observations: { actor: { terms: { base_ang_vel: { delay_min_lag: 2 } } } } } },
      'delay_min_lag',
    ],
    ['bad', { base: 'Wbc-Walker', overrides: [] }, 'overrides'],
    ['bad', { base: 'Wbc-Walker', modules: ['gone'] }, 'modules[0]'],
    ['bad', { base: 'Wbc-Walker', description: 'x'.repeat(2001) }, 'description'],
    ['bad', { base: 'Wbc-Humanoid' }, 'base'],
    ['bad', { base: 'Wbc-Walker', colour: 'red' }, 'colour'],
    ['bad', {}, 'base'],
    ['schema', { base: 'Wbc-Walker' }, 'reserved'],
    ['a--b', { base: 'Wbc-Walker' }, '--'],
    ['..%2Fout', { base: 'Wbc-Walker' }, 'name'],
    ['constructor', { base: 'Wbc-Walker' }, 'constructor'],
  ])('an invalid preset is refused by name and writes nothing: %s %j', async (name, body, named) => {
    const { status, body: reply } = await call(`PUT /api/presets/${name}`, body);
    expect(status).toBe(400);
    expect(reply.detail).toContain(named);
    expect((await list()).presets).toEqual([]);
  });

  test('a preset with the key __proto__ at any depth is refused', async () => {
    for (const overrides of ['{"__proto__":{"decimation":2}}', '{"rewards":{"__proto__":{"weight":1}}}']) {
      const response = await fetch(`${studio.address}/api/presets/bad`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: `{"base":"Wbc-Walker","overrides":${overrides}}`,
      });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('__proto__');
    }
  });

  test('a preset with unknown names or with a module that fits no base task is refused', async () => {
    const { status, body } = await call('PUT /api/modules/odd', { overrides: { rewards: { nothing_at_all: {} } } });
    expect([status, body.detail]).toEqual([400, expect.stringContaining('rewards.nothing_at_all')]);
    for (const key of [
      'GET /api/modules/odd',
      'DELETE /api/modules/odd',
      'DELETE /api/presets/odd',
      'GET /api/presets/odd',
    ]) {
      const reply = await call(key);
      expect([reply.status, reply.body.detail]).toEqual([400, expect.stringContaining('odd')]);
    }
  });
});

test('modules apply in order before overrides; deleting one leaves its presets with an error', async () => {
  await call('PUT /api/modules/m1', {
    overrides: { rewards: { survival: { weight: 2 }, joint_limit: { weight: -2 } } },
  });
  await call('PUT /api/modules/m2', { overrides: { rewards: { survival: { weight: 3 } } } });
  const { status } = await call('PUT /api/presets/both', {
    base: 'Wbc-Walker',
    modules: ['m1', 'm2'],
    overrides: { rewards: { joint_limit: { weight: -3 } } },
  });
  expect(status).toBe(200);
  const { knobs } = (await request(studio.address, 'GET /api/presets/schema', { base: 'Wbc-Walker', modules: 'm1,m2' }))
    .body;
  expect(knobs.find((one) => one.path === 'rewards.survival.weight')).toMatchObject({ default: 1, value: 3 });
  expect(knobs.find((one) => one.path === 'rewards.joint_limit.weight')).toMatchObject({ default: -1, value: -2 });

  expect((await call('DELETE /api/modules/m2')).body).toEqual({ ok: true, undo: expect.any(String) });
  expect((await presetNamed('both'))?.error).toContain('m2');
  expect(await taskNames()).toEqual(BASES);
  await call('PUT /api/modules/m2', {});
  expect((await presetNamed('both'))?.error).toBeNull();
  for (const place of ['presets/both', 'modules/m1', 'modules/m2']) await call(`DELETE /api/${place}`);
});

describe('files', () => {
  test('a preset file written, changed or removed by hand is reported by an event and listed', async () => {
    const listener = await Listener.open(studio.address);
    mkdirSync(path.dirname(fileOf('presets', 'outside')), { recursive: true });
    writeFileSync(fileOf('presets', 'outside'), 'base: Wbc-Walker\noverrides: {decimation: 2}\n');
    await listener.nextEvent('presets', ({ name, reason }) => name === 'outside' && reason === 'changed', 2000);
    expect(await presetNamed('outside')).toMatchObject({ overrides: { decimation: 2 }, error: null });
    expect(await taskNames()).toContain('Wbc-Walker--outside');
    rmSync(fileOf('presets', 'outside'));
    await listener.nextEvent('presets', ({ name, reason }) => name === 'outside' && reason === 'deleted', 2000);
    expect(await presetNamed('outside')).toBeUndefined();
    listener.close();
  });

  test.each([
    ['broken', 'base: [', 'broken.yaml:'],
    ['empty', '', 'base'],
    ['stray', 'base: Wbc-Walker\ncolour: red\n', 'stray.yaml:2: colour'],
    ['missing', 'base: Wbc-Dog\n', 'Wbc-Dog'],
    [
      'unknown',
      'base: Wbc-Walker\noverrides:\n  rewards:\n    survival:\n      wieght: 1\n',
      'unknown.yaml:5: overrides.rewards.survival.wieght',
    ],
    [
      'strange',
      'base: Wbc-Walker\noverrides:\n  rewards: {motion_body_pos: {params: {body_names: [nose]}}}\n',
      'strange.yaml:3: overrides.rewards.motion_body_pos.params.body_names',
    ],
    ['infinite', 'base: Wbc-Walker\noverrides:\n  rewards: {survival: {weight: .inf}}\n', 'finite'],
    ['polluted', 'base: Wbc-Walker\noverrides:\n  __proto__: {decimation: 2}\n', '__proto__'],
    ['nested', `base: ${'['.repeat(20_000)}`, 'nested'],
  ])('a preset file %s stays listed with its error, is not a task, and can be replaced', async (name, text, error) => {
    mkdirSync(path.dirname(fileOf('presets', name)), { recursive: true });
    writeFileSync(fileOf('presets', name), text);
    expect((await presetNamed(name))?.error).toContain(error);
    expect((await call(`GET /api/presets/${name}`)).body).toMatchObject({
      name,
      error: expect.stringContaining(error),
    });
    expect(await taskNames()).toEqual(BASES);
    expect((await call(`PUT /api/presets/${name}`, { base: 'Wbc-Walker' })).status).toBe(200);
    expect((await presetNamed(name))?.error).toBeNull();
    expect((await call(`DELETE /api/presets/${name}`)).status).toBe(200);
  });

  test('a preset file with an invalid name is listed as unreadable and can be deleted', async () => {
    writeFileSync(fileOf('presets', 'a--b'), 'base: Wbc-Walker\n');
    expect((await presetNamed('a--b'))?.error).toContain('--');
    expect((await call('DELETE /api/presets/a--b')).status).toBe(200);
    expect(await presetNamed('a--b')).toBeUndefined();
  });

  test('presets survive a restart of the service', async () => {
    await call('PUT /api/presets/kept', { base: 'Wbc-Walker-SE' });
    await studio.stop();
    await studio.start();
    expect((await request(studio.address, 'GET /api/robot')).body.tasks).toContain('Wbc-Walker-SE--kept');
  });
});
