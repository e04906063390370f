import fc from 'fast-check';
import { type TSchema, Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { withoutAbsent } from '../../src/core/absent-fields.ts';
import { problemOf } from '../../src/core/validation.ts';
import { EXAMPLES } from '../../src/gateway/documents/examples/all-examples.ts';
import type { RouteSpec } from '../../src/protocol/route.ts';
import { nameOf, nullable, oneOf, strictBody } from '../../src/protocol/route.ts';
import { ROUTES } from '../../src/protocol/route-table.ts';

const Body = strictBody({
  name: nameOf('required'),
  clip: nullable(Type.String()),
  motion: Type.Optional(nameOf('optional')),
  checkpoint: Type.Optional(Type.String()),
  count: Type.Optional(Type.Integer()),
  source: Type.Optional(oneOf(['auto', 'raw'])),
  fps: Type.Optional(nullable(Type.Number())),
  extra: Type.Optional(Type.Union([Type.Array(nameOf('one')), nameOf('one')])),
  overrides: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  joints: Type.Optional(Type.Record(Type.String(), strictBody({ limit: Type.Optional(Type.Number()) }))),
  parts: Type.Optional(Type.Array(strictBody({ tag: Type.Optional(nameOf('tag')) }))),
});

describe('an empty field', () => {
  const base = { name: 'a', clip: null };
  test.each<[object, object]>([
    [{ motion: null, count: null, source: null, extra: null, checkpoint: null, overrides: null }, {}],
    [{ motion: '', source: '', extra: '' }, {}],
    [
      { joints: { knee: { limit: null } }, parts: [{ tag: null }, { tag: '' }, { tag: 'x' }] },
      { joints: { knee: {} }, parts: [{}, {}, { tag: 'x' }] },
    ],
  ])('the empty field %j is left out', (given, expected) => {
    expect(withoutAbsent(Body, { ...base, ...given })).toEqual({ ...base, ...expected });
  });

  test.each<object>([
    { checkpoint: '' },
    { fps: null },
    { overrides: { rewards: null, a: { b: null, c: '' } } },
    { count: '' },
    { extra: ['', null] },
    { joints: { knee: null } },
    { unknown: null },
  ])('%j stays where its value has a meaning, or where it is wrong', (given) => {
    const value = { ...base, ...given };
    expect(withoutAbsent(Body, value)).toBe(value);
  });

  test('a required empty field stays', () => {
    for (const value of [
      { name: null, clip: null },
      { name: '', clip: null },
    ]) {
      expect(withoutAbsent(Body, value)).toBe(value);
      expect(problemOf(Body, value)?.path).toEqual(['name']);
    }
  });

  test("leaving out empty fields does not change the caller's value", () => {
    const given = Object.freeze({ ...base, motion: null });
    expect(withoutAbsent(Body, given)).toEqual(base);
    expect(given).toHaveProperty('motion');
  });
});

type Field = TSchema & { readonly type?: string; readonly anyOf?: readonly Field[] };
type Fields = Readonly<Record<string, Field>>;

const takesText = ({ type, anyOf = [] }: Field): boolean => type === 'string' || anyOf.some(takesText);

/** Every optional field of the bodies and queries of all routes. */
const optional = Object.entries(ROUTES).flatMap(([id, row]: [string, RouteSpec]) =>
  (
    [
      [row.body, EXAMPLES[id]?.body],
      [row.query, EXAMPLES[id]?.query],
    ] as const
  ).flatMap(([schema, example = {}]) => {
    const { properties = {}, required = [] } = (schema ?? {}) as { properties?: Fields; required?: string[] };
    return Object.entries(properties)
      .filter(([name]) => !required.includes(name))
      .map(([name, field]) => ({
        row: `${row.method} ${row.path}`,
        schema: schema!,
        name,
        field,
        example: example as object,
      }));
  }),
);

test('null for any optional field of any route is the same as leaving it out', () => {
  expect(optional.length).toBeGreaterThan(50);
  fc.assert(
    fc.property(fc.constantFrom(...optional), fc.jsonValue(), ({ schema, name, field, row, example }, other) => {
      const { [name]: _, ...without } = example as Record<string, unknown>;
      // Invalid objects and lists are kept: the schema check that follows refuses them.
      const value = { ...without, other };
      const stripped = withoutAbsent(schema, { ...value, [name]: null });
      const nullHasMeaning = problemOf(field, null) === null;
      expect([row, name, stripped]).toEqual([row, name, nullHasMeaning ? { ...value, [name]: null } : value]);
    }),
    { numRuns: 2000 },
  );
});

test('an empty text for any optional name, path or choice of any route is the same as leaving it out', () => {
  const texts = optional.filter(({ field }) => takesText(field));
  const kept = texts.filter(({ schema, name, field, example }) => {
    const { [name]: _, ...without } = example as Record<string, unknown>;
    const stripped = withoutAbsent(schema, { ...without, [name]: '' }) as object;
    if (!(name in stripped)) expect(stripped).toEqual(without);
    else expect(problemOf(field, '')).toBeNull();
    return name in stripped;
  });
  // In these fields, an empty text has a meaning: zero action, no filter, no description, no note, or an empty default
  // or list.
  expect([...new Set(kept.map(({ name }) => name))].sort()).toEqual([
    'a_checkpoint',
    'b_checkpoint',
    'checkpoint',
    'description',
    'extra',
    'note',
    'q',
    'resume_checkpoint',
    'resume_run',
    'run_name',
    'token',
  ]);
});

test('a launch with every field empty or null equals a launch without these fields', () => {
  const filled = {
    task: 'Wbc-G1',
    dataset: 'walks',
    num_envs: null,
    max_iterations: null,
    run_name: null,
    resume_run: null,
    resume_checkpoint: null,
    logger: null,
    extra: null,
    trainer: '',
    launcher: '',
    seed: null,
    dry_run: null,
  };
  expect(withoutAbsent(ROUTES.launchTraining.body, filled)).toEqual({ task: 'Wbc-G1', dataset: 'walks' });
});
