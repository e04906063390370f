import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { YamlText } from '../../src/core/yaml-file.ts';
import { formatPreset, readPreset, type StoredModule, type StoredPreset } from '../../src/presets/preset-file.ts';
import { baseOf, checkModule, resolveTask, type TaskSources, taskNameOf } from '../../src/presets/resolve-task.ts';
import { SMALL, WORDS } from './small-task.ts';

const preset = (name: string, part: Partial<StoredPreset> = {}): StoredPreset => ({
  name,
  base: 'Wbc-Walker',
  modules: [],
  overrides: {},
  description: '',
  ...part,
});
const weight = (value: number) => ({ rewards: { survival: { weight: value } } });

function sources(presets: readonly StoredPreset[], modules: Record<string, Record<string, unknown>> = {}): TaskSources {
  const stored = Object.entries(modules).map(([name, overrides]): [string, StoredModule] => [
    name,
    { name, overrides, description: '' },
  ]);
  return { vocabulary: WORDS, presets: new Map(presets.map((one) => [one.name, one])), modules: new Map(stored) };
}

test('a base task resolves to itself', () => {
  expect(resolveTask('Wbc-Walker', sources([])).config).toBe(SMALL);
});

test('the base of a task is found by its name, also if one base begins with the name of another', () => {
  const bases = ['A', 'A-SE'].map((name) => ({ name, description: '', config: SMALL }));
  const names = ['A', 'A--A-SE', 'A-SE', 'A-SE--x', 'B'].map((task) => baseOf(task, bases)?.name);
  expect(names).toEqual(['A', 'A', 'A-SE', 'A-SE', undefined]);
});

test('base, modules in order, then overrides are applied; the last value is used', () => {
  const survival = (part: Partial<StoredPreset>) =>
    resolveTask('Wbc-Walker--mine', sources([preset('mine', part)], { two: weight(2), three: weight(3) })).config
      .rewards['survival']?.weight;
  expect(survival({})).toBe(1);
  expect(survival({ modules: ['two', 'three'] })).toBe(3);
  expect(survival({ modules: ['three', 'two'] })).toBe(2);
  expect(survival({ modules: ['two', 'three'], overrides: weight(4) })).toBe(4);
});

test.each([
  [{ type: 'stairs', height: 1 }, 'scene.terrain.height: the middle of a tile would be 10.0 m high'],
  [{ type: 'slopes', slope: 1, tile_size: 10 }, 'scene.terrain.slope: the middle of a tile would be 4.3 m high'],
  [{ type: 'rough', tile_size: 10.5 }, 'scene.terrain.tile_size: must be a number from 1 to 10'],
])('ground that cannot be created is refused with its preset: %j', (terrain, message) => {
  const overrides = { scene: { terrain } };
  expect(() => resolveTask('Wbc-Walker--mine', sources([preset('mine', { overrides })]))).toThrow(message);
  const flat = { scene: { terrain: { ...terrain, type: 'plane', tile_size: 8 } } };
  expect(() => resolveTask('Wbc-Walker--mine', sources([preset('mine', { overrides: flat })]))).not.toThrow();
});

test('an override may change a term that a module added, and remove a term that a module changed', () => {
  const added = { rewards: { feet_slip: { weight: -0.1 }, survival: { weight: 9 } } };
  const overrides = { rewards: { feet_slip: { weight: -0.2 }, survival: null } };
  const { config } = resolveTask(
    'Wbc-Walker--mine',
    sources([preset('mine', { modules: ['slip'], overrides })], { slip: added }),
  );
  expect(config.rewards['feet_slip']?.weight).toBe(-0.2);
  expect(config.rewards).not.toHaveProperty('survival');
});

describe('a task that cannot be resolved is refused by name', () => {
  test.each([
    ['Wbc-Wlaker', [], 'task: there is no task "Wbc-Wlaker"; did you mean "Wbc-Walker"?'],
    ['Wbc-Walker--other', [preset('mine')], '"Wbc-Walker--other"'],
    ['Wbc-Walker--mine', [preset('mine', { modules: ['gone'] })], 'modules[0]: there is no module "gone"'],
    ['Wbc-Walker--mine', [preset('mine', { modules: ['two', 'two'] })], 'modules[1]: "two" is named twice'],
    ['Wbc-Dog--mine', [preset('mine', { base: 'Wbc-Dog' })], 'base: there is no base task "Wbc-Dog"'],
    ['Wbc-Walker--mine', [preset('mine', { modules: ['bad'] })], 'in module bad, rewards.survival.wieght'],
    [
      'Wbc-Walker--mine',
      [preset('mine', { overrides: { observations: { critic: { terms: { base_ang_vel: null } } } } })],
      'observations.critic.terms: must keep at least one term',
    ],
    [
      'Wbc-Walker--mine',
      [
        preset('mine', {
          overrides: { observations: { actor: { terms: { base_ang_vel: { noise: { n_min: 1 } } } } } },
        }),
      ],
      'noise.n_min: must not be greater than n_max',
    ],
    [
      'Wbc-Walker--mine',
      [preset('mine', { overrides: { events: { push_robot: { interval_range_s: null } } } })],
      'events.push_robot.interval_range_s',
    ],
  ])('a task that cannot be resolved is refused by name: %s %#', (task, presets, message) => {
    const modules = { two: weight(2), bad: { rewards: { survival: { wieght: 1 } } } };
    expect(() => resolveTask(task, sources(presets, modules))).toThrow(message);
  });
});

test('terms that list the end effectors follow a change of them; a term with a list of its own keeps it', () => {
  const ofFeet = { func: 'bad_motion_body_pos_z_only', params: { body_names: ['left_foot', 'right_foot'] } };
  const terms = { terminations: { feet: ofFeet, trunk: { ...ofFeet, params: { body_names: ['trunk'] } } } };
  const only = (...ee: string[]) => ({ commands: { motion: { ee_body_names: ee } } });
  const { config } = resolveTask(
    'Wbc-Walker--mine',
    sources([preset('mine', { modules: ['terms', 'left'], overrides: only('right_foot', 'trunk') })], {
      terms,
      left: only('left_foot'),
    }),
  );
  expect(config.terminations['feet']!.params['body_names']).toEqual(['right_foot', 'trunk']);
  expect(config.terminations['trunk']!.params['body_names']).toEqual(['trunk']);
});

test('a module is valid if it fits at least one base task', () => {
  const module = (overrides: Record<string, unknown>) => ({ name: 'm', overrides, description: '' });
  expect(() => checkModule(module({ decimation: 2 }), sources([]))).not.toThrow();
  expect(() => checkModule(module({ decimation: 'x' }), sources([]))).toThrow('decimation');
});

test('property: a preset file is read back as it was written', () => {
  const key = fc.stringMatching(/^[a-z_]{1,8}$/);
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0), // YAML has no −0
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.integer(), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  }));
  const stored = fc.record({
    name: fc.constant('mine'),
    base: fc.string({ minLength: 1, maxLength: 40 }),
    modules: fc.array(fc.stringMatching(/^[A-Za-z0-9._-]{1,10}$/), { maxLength: 3 }),
    description: fc.string({ maxLength: 200 }),
    overrides: fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true }),
  });
  fc.assert(
    fc.property(stored, (one) => {
      expect(readPreset('mine', new YamlText(formatPreset(one), 'mine.yaml'))).toEqual(one);
    }),
    { numRuns: 200 },
  );
});

test("a task's name consists of its base and its preset", () => {
  expect(taskNameOf({ name: 'rough', base: 'Wbc-G1-SE' })).toBe('Wbc-G1-SE--rough');
});

test('an experiment name cannot lead out of its folder', () => {
  const named = (experiment_name: string) =>
    resolveTask('Wbc-Walker--mine', sources([preset('mine', { overrides: { agent: { experiment_name } } })]));
  expect(named('wbc_mine').config.agent.experiment_name).toBe('wbc_mine');
  for (const name of ['../x', '', 'a/b', '__proto__'])
    expect(() => named(name)).toThrow(/agent\.experiment_name: must/);
});
