import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flatten, nest, without } from '../../../../web/src/features/tasks/shared/edits.ts';

test('overrides are flattened by path; an empty object and null are kept as values', () => {
  expect(flatten({ rewards: { survival: { weight: 2 }, joint_acc: null, feet_slip: {} }, decimation: 2 })).toEqual({
    'rewards.survival.weight': 2,
    'rewards.joint_acc': null,
    'rewards.feet_slip': {},
    decimation: 2,
  });
});

test('a term that is added and changed is nested once', () => {
  expect(nest({ 'rewards.feet_slip': {}, 'rewards.feet_slip.weight': -1 })).toEqual({
    rewards: { feet_slip: { weight: -1 } },
  });
  expect(nest({ 'rewards.feet_slip.weight': -1, 'rewards.feet_slip': {} })).toEqual({
    rewards: { feet_slip: { weight: -1 } },
  });
});

test('property: nesting flattened overrides gives the same overrides', () => {
  const key = fc.stringMatching(/^[a-z_]{1,6}$/);
  const leaf = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.integer(), { maxLength: 3 }));
  const { tree } = fc.letrec<{ tree: Record<string, never> }>((tie) => ({
    tree: fc.dictionary(key, fc.oneof({ depthSize: 'small' }, leaf, tie('tree')), { maxKeys: 4 }) as never,
  }));
  fc.assert(
    fc.property(tree, (overrides) => {
      expect(JSON.stringify(nest(flatten(overrides)))).toBe(JSON.stringify(overrides));
    }),
  );
});

test('resetting a term resets all of its knobs, but none of a term with a similar name', () => {
  const edits = { 'rewards.joint': 1, 'rewards.joint.weight': 2, 'rewards.joint_acc.weight': 3 };
  expect(without(edits, 'rewards.joint')).toEqual({ 'rewards.joint_acc.weight': 3 });
});
