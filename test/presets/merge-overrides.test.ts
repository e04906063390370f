import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { problemOf } from '../../src/core/validation.ts';
import type { JsonObject } from '../../src/presets/knobs/knob-tree.ts';
import { listKnobs } from '../../src/presets/knobs/list-knobs.ts';
import { mergeOverrides } from '../../src/presets/knobs/merge-overrides.ts';
import { overridesSchema } from '../../src/presets/knobs/overrides-schema.ts';
import { taskTree } from '../../src/presets/knobs/task-tree.ts';
import { SMALL, WORDS } from './small-task.ts';

const TREE = taskTree(SMALL, WORDS);
const JSON_CONFIG = SMALL as unknown as JsonObject;
const merge = (overrides: unknown) => mergeOverrides(TREE, SMALL, overrides);
const refusal = (overrides: unknown): string => {
  try {
    merge(overrides);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('was accepted');
};

test('an override changes only its knob, in a copy of the base', () => {
  const before = structuredClone(SMALL);
  const merged = merge({ rewards: { action_rate_l1: { weight: -0.05 } }, decimation: 2 });
  expect(merged).toEqual({
    ...SMALL,
    decimation: 2,
    rewards: { ...SMALL.rewards, action_rate_l1: { ...SMALL.rewards['action_rate_l1'], weight: -0.05 } },
  });
  expect(SMALL).toEqual(before);
});

describe('terms', () => {
  test('overriding a term with null removes it, and the others keep their order', () => {
    expect(Object.keys(merge({ rewards: { action_rate_l1: null } }).rewards)).toEqual(['motion_body_pos', 'survival']);
  });
  test('an override that names a term of the library adds it after the others, with default parameters', () => {
    const { rewards } = merge({ rewards: { feet_slip: { weight: -0.2 } } });
    expect(Object.keys(rewards)).toEqual(['motion_body_pos', 'action_rate_l1', 'survival', 'feet_slip']);
    const defaults = Object.entries(WORDS.library.rewards['feet_slip']!.params).map(([name, one]) => [
      name,
      one.default,
    ]);
    expect(rewards['feet_slip']).toEqual({ func: 'feet_slip', weight: -0.2, params: Object.fromEntries(defaults) });
  });
  test('a term under a new name must state its function', () => {
    const { observations } = merge({
      observations: { actor: { terms: { my_gravity: { func: 'projected_gravity', history_length: 3 } } } },
    });
    expect(observations['actor']?.terms['my_gravity']).toMatchObject({ func: 'projected_gravity', history_length: 3 });
  });
  test('overriding noise of a term without noise starts from zero', () => {
    const { observations } = merge({
      observations: { critic: { terms: { base_ang_vel: { noise: { n_max: 0.3 } } } } },
    });
    expect(observations['critic']?.terms['base_ang_vel']?.noise).toEqual({ n_min: 0, n_max: 0.3 });
  });
});

describe('an override that does not fit is refused with its path', () => {
  test.each([
    [{ rewards: { action_rate_l1: { wieght: 1 } } }, 'rewards.action_rate_l1.wieght', 'rewards.action_rate_l1.weight'],
    [{ rewards: { action_rate_11: { weight: 1 } } }, 'rewards.action_rate_11', 'rewards.action_rate_l1'],
    [{ reward: {} }, 'reward', 'rewards'],
    [{ rewards: { motion_body_pos: { std: 1 } } }, 'rewards.motion_body_pos.std', 'rewards.motion_body_pos.params.std'],
    [{ observations: { policy: {} } }, 'observations.policy', 'actor, critic'],
    [{ rewards: { nothing_of_ours: {} } }, 'rewards.nothing_of_ours', 'known are motion_body_pos'],
    [{ rewards: { mine: { func: 'feet_slipp' } } }, 'rewards.mine.func', 'feet_slip'],
    [{ seed: 1 }, 'seed', 'known'],
  ])('an override that does not fit is refused with its path: %j', (overrides, path, near) => {
    const message = refusal(overrides);
    expect(message.startsWith(`${path}: is not a known knob`)).toBe(true);
    expect(message).toContain(near);
  });

  test.each([
    [{ decimation: 2.5 }, 'decimation: must be an integer from 1 to 100'],
    [{ decimation: '2' }, 'decimation: must be an integer from 1 to 100, not "2"'],
    [{ episode_length_s: Number.NaN }, 'episode_length_s: must be a finite number'],
    [
      { rewards: { survival: { weight: Number.POSITIVE_INFINITY } } },
      'rewards.survival.weight: must be a finite number',
    ],
    [{ rewards: { survival: { weight: null } } }, 'rewards.survival.weight: must be a number from -1000000 to 1000000'],
    [{ rewards: 3 }, 'rewards: must be an object'],
    [{ rewards: { survival: 3 } }, 'rewards.survival: must be an object with func, weight, params'],
    [
      { commands: { motion: { pose_range: { x: [1, 0] } } } },
      'commands.motion.pose_range.x: must begin with the lower',
    ],
    [{ commands: { motion: { pose_range: { x: [1] } } } }, 'commands.motion.pose_range.x: must be a list of 2 numbers'],
    [
      { commands: { motion: { anchor_body: 'head' } } },
      'commands.motion.anchor_body: must be one of trunk, left_thigh',
    ],
    [{ scene: { terrain: { type: 'moon' } } }, 'scene.terrain.type: must be one of plane, rough, slopes, stairs'],
    [{ agent: { actor: { hidden_dims: [64, 'x'] } } }, 'agent.actor.hidden_dims: item 1 must be an integer'],
    [[], 'overrides: must be an object'],
  ])('an override that does not fit is refused with its path: %j', (overrides, message) => {
    expect(refusal(overrides)).toContain(message);
  });

  test('the function of an existing term cannot be replaced', () => {
    expect(refusal({ rewards: { survival: { func: 'feet_slip' } } })).toMatch(
      /^rewards\.survival\.func: must be one of is_alive/,
    );
  });

  test.each(['__proto__', 'constructor', 'prototype'])('%s is never accepted as a knob', (key) => {
    const evil = (inner: string) => JSON.parse(inner.replace('KEY', key)) as unknown;
    for (const text of [
      '{"KEY": {"polluted": 1}}',
      '{"rewards": {"KEY": {"weight": 1}}}',
      '{"rewards": {"KEY": {"func": "feet_slip"}}}',
      '{"rewards": {"survival": {"KEY": {"weight": 1}}}}',
      '{"rewards": {"survival": {"params": {"KEY": 1}}}}',
      '{"commands": {"motion": {"rsi": {"similarity_terms": {"KEY": {"weight": 1}}}}}}',
    ]) {
      expect(refusal(evil(text))).toContain(key);
    }
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

const KNOBS = listKnobs(TREE, JSON_CONFIG, JSON_CONFIG);

describe('knobs', () => {
  test('each knob has the value of the configuration at its path', () => {
    const values = new Map(KNOBS.map(({ path, value }) => [path, value]));
    expect(values.get('rewards.action_rate_l1.weight')).toBe(-0.1);
    expect(values.get('observations.actor.terms.base_ang_vel.noise_scale')).toBe(1);
    expect(values.get('commands.motion.pose_range.y')).toEqual([0, 0]);
    expect(values.get('agent.algorithm.learning_rate')).toBe(1e-3);
    expect(values.has('seed')).toBe(false);
  });
  test('overriding every knob with its own value changes nothing', () => {
    const overrides: JsonObject = {};
    for (const { path, value } of KNOBS) assign(overrides, path, value);
    const merged = merge(overrides) as unknown as JsonObject;
    expect(listKnobs(TREE, JSON_CONFIG, merged)).toEqual(KNOBS);
  });
});

/** Any JSON value, and also numbers that JSON cannot represent. */
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, 0, 1, -1, 0.5, null, true),
  fc.array(fc.double({ noNaN: true, min: -2, max: 2 }), { maxLength: 4 }),
);
const SCHEMA = overridesSchema(TREE, JSON_CONFIG, 'overrides');

test('property: merging and JSON Schema accept the same values, and a merge changes only its knob', () => {
  fc.assert(
    fc.property(fc.constantFrom(...KNOBS), anything, (knob, value) => {
      const overrides: JsonObject = {};
      assign(overrides, knob.path, value);
      let merged: JsonObject | null = null;
      try {
        merged = merge(overrides) as unknown as JsonObject;
      } catch (error) {
        expect((error as Error).message.startsWith(knob.path)).toBe(true);
      }
      const [low, high] = Array.isArray(value) ? (value as number[]) : [];
      const ordered = !knob.ordered || low === undefined || high === undefined || low <= high;
      if (ordered) expect(problemOf(SCHEMA, overrides) === null).toBe(merged !== null);
      if (merged === null) return;
      const parent = knob.path.split('.').slice(0, -1).join('.');
      const after = listKnobs(TREE, JSON_CONFIG, merged);
      expect(after.map(({ path }) => path)).toEqual(KNOBS.map(({ path }) => path));
      const others = after.filter((one, k) => one.value !== KNOBS[k]?.value && !one.path.startsWith(parent));
      expect(others.map(({ path }) => path)).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test('property: any override gives a configuration or a named refusal, and never reaches a prototype', () => {
  const key = fc.constantFrom(
    'rewards',
    'observations',
    'actor',
    'terms',
    '__proto__',
    'constructor',
    'survival',
    'params',
    'x',
  );
  const tree = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof({ depthSize: 'small' }, fc.jsonValue(), fc.dictionary(key, tie('node'))),
  })).node;
  fc.assert(
    fc.property(tree, (overrides) => {
      try {
        const merged = merge(overrides);
        expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
        expect(Object.getPrototypeOf(merged.rewards)).toBe(Object.prototype);
      } catch (error) {
        expect((error as { code?: string }).code).toBe('bad_input');
      }
      expect(Object.keys(Object.prototype)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

function assign(into: JsonObject, path: string, value: unknown): void {
  const keys = path.split('.');
  let at = into as Record<string, unknown>;
  for (const key of keys.slice(0, -1)) {
    at[key] ??= {};
    at = at[key] as Record<string, unknown>;
  }
  at[keys.at(-1)!] = value;
}
