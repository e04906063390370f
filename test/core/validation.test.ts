import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { nearest } from '../../src/core/nearest.ts';
import { check, fromQuery, problemOf } from '../../src/core/validation.ts';
import { nullable, oneOf, strictBody } from '../../src/protocol/route.ts';
import { RobotSpec } from '../../src/protocol/schemas/robots.ts';

const Launch = strictBody({
  num_envs: Type.Optional(Type.Integer({ minimum: 1 })),
  speed: Type.Optional(Type.Number({ minimum: 0.05, maximum: 8 })),
  gain: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  which: Type.Optional(oneOf(['missing', 'all'])),
  clips: Type.Optional(Type.Array(Type.String(), { maxItems: 2 })),
  fps: Type.Optional(nullable(Type.Number({ exclusiveMinimum: 0 }))),
  ghost: Type.Optional(Type.Union([Type.Boolean(), oneOf(['off', 'overlay'])])),
  name: Type.Optional(Type.String({ minLength: 1 })),
  pair: Type.Optional(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 })),
  entries: Type.Optional(Type.Array(Type.Number(), { minItems: 2, maxItems: 4 })),
  extra: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
});

describe('the message names the field and what it must be', () => {
  test.each<[unknown, string]>([
    [{ num_envs: 0 }, 'num_envs: must be an integer ≥ 1'],
    [{ num_envs: '4' }, 'num_envs: must be an integer ≥ 1'],
    [{ num_envs: 1.5 }, 'num_envs: must be an integer ≥ 1'],
    [{ speed: 9 }, 'speed: must be a number from 0.05 to 8'],
    [{ gain: 0 }, 'gain: must be a number > 0'],
    [{ gain: JSON.parse('1e999') }, 'gain: must be a finite number'],
    [{ gain: Number.NaN }, 'gain: must be a finite number'],
    [{ which: 'some' }, 'which: must be one of "missing", "all"'],
    [{ clips: ['a', 2] }, 'clips[1]: must be a text'],
    [{ clips: ['a', 'b', 'c'] }, 'clips: must be a list of at most 2 items'],
    [{ fps: 'x' }, 'fps: must be a number > 0 or null'],
    [{ fps: -1 }, 'fps: must be a number > 0 or null'],
    [{ ghost: 'on' }, 'ghost: must be true or false or one of "off", "overlay"'],
    [{ name: '' }, 'name: must be a text that is not empty'],
    [{ pair: [1] }, 'pair: must be a list of 2 items'],
    [{ entries: [1, 2, 3, 4, 5] }, 'entries: must be a list of 2 to 4 items'],
    [{ extra: ['a', 1] }, 'extra[1]: must be a text'],
    [{ num_env: 1 }, 'num_env: is not a known field; did you mean "num_envs"? Known are num_envs, speed,'],
    [{ zzz: 1 }, 'zzz: is not a known field; known are num_envs, speed,'],
    [[], 'body: must be an object'],
    [null, 'body: must be an object'],
  ])('the message names the field and its valid values: %j', (value, message) => {
    expect(() => check(Launch, value, 'body')).toThrow(message);
  });
});

test('the message names the missing field of an object where a text is also allowed', () => {
  const schema = strictBody({
    conditions: Type.Array(Type.Union([Type.String(), strictBody({ name: Type.String() })])),
  });
  expect(() => check(schema, { conditions: [{}] }, 'body')).toThrow('conditions[0].name: is missing');
  expect(() => check(schema, { conditions: [5] }, 'body')).toThrow('conditions[0]: must be a text or an object');
});

test('the message of a pattern says which characters are allowed', () => {
  const schema = strictBody({ tag: Type.String({ pattern: '^[a-z]+$', description: 'letters a to z' }) });
  expect(() => check(schema, { tag: '1' }, 'body')).toThrow('tag: must be a text. Allowed: letters a to z');
});

test('the message names a nested field of a robot spec by its whole path', () => {
  const joint = { default: 0, stiffness: 1, damping: 1, armature: 0, effort_limit: 1, action_scale: 1 };
  const spec = (left_knee: object) => ({
    version: 1,
    id: 'a',
    name: 'A',
    model: 'a.xml',
    wiring: { anchor: 'a', keybodies: [], feet: [] },
    root_height: 1,
    joints: { left_knee },
  });
  expect(problemOf(RobotSpec, spec(joint))).toBeNull();
  expect(() => check(RobotSpec, spec({ ...joint, stiffness: -1 }), 'spec')).toThrow(
    'joints.left_knee.stiffness: must be a number ≥ 0',
  );
  expect(() => check(RobotSpec, spec({ ...joint, stifness: 1 }), 'spec')).toThrow(
    'joints.left_knee.stifness: is not a known field; did you mean "stiffness"?',
  );
  const { damping: _, ...rest } = joint;
  expect(() => check(RobotSpec, spec({ ...rest, dampin: 1 }), 'spec')).toThrow(
    'joints.left_knee.dampin: is not a known field; did you mean "damping"?',
  );
  expect(() => check(RobotSpec, spec(rest), 'spec')).toThrow('joints.left_knee.damping: is missing');
});

test('a long invalid list is checked only up to its first invalid item', () => {
  const schema = Type.Object({ a: Type.Array(Type.Number()) });
  expect(problemOf(schema, { a: Array.from({ length: 1e5 }, () => 'x') })).toEqual({
    path: ['a', '0'],
    text: 'must be a number',
    unknownKey: false,
  });
});

describe('query texts', () => {
  const schema = Type.Object({
    page: Type.Integer(),
    t: Type.Number(),
    on: Type.Boolean(),
    q: Type.String(),
    names: Type.Array(Type.String()),
    counts: Type.Array(Type.Integer()),
  });
  const query = (given: Record<string, string[]>) => fromQuery(schema, new Map(Object.entries(given)));

  test('query texts become the type of the schema, or stay text', () => {
    expect(query({ page: ['2'], t: ['-1.5e2'], on: ['1'], q: ['7'], other: ['3'] })).toEqual({
      page: 2,
      t: -150,
      on: true,
      q: '7',
    });
    for (const text of ['', ' 2', '0x10', 'Infinity', 'NaN', '1_0', '2px'])
      expect(query({ page: [text] })['page']).toBe(text);
  });

  test('query texts become a list where the schema requires one', () => {
    for (const names of [['a,b,c'], ['a', 'b', 'c'], ['a,b', 'c'], ['a,,b', '', 'c']])
      expect(query({ names })).toEqual({ names: ['a', 'b', 'c'] });
    expect(query({ counts: ['1,x', '3'] })).toEqual({ counts: [1, 'x', 3] });
    expect(query({ names: [''] })).toEqual({ names: [] });
  });

  test('repeated query texts are refused where a single one is expected', () => {
    expect(() => query({ page: ['1', '1'] })).toThrow('page: is given 2 times, expected once');
  });
});

test('the nearest word within a third of its letters is suggested, otherwise none', () => {
  expect(nearest('stifness', ['damping', 'stiffness'])).toBe('stiffness');
  expect(nearest('FPS', ['fps', 'max_mbps'])).toBe('fps');
  expect(nearest('banana', ['stiffness', 'fps'])).toBeNull();
  expect(nearest('x', [])).toBeNull();
});
