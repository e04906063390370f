import { expect, test } from 'vitest';
import { groupWarnings } from '../../../../web/src/features/robot-import/warning-groups.ts';

test('many warnings that differ only in names are one group; other warnings stay separate', () => {
  const missing = Array.from(
    { length: 37 },
    (_, k) => `mesh "link_${k}" is missing: meshes/link_${k}.STL; it is drawn as a box`,
  );
  const warnings = ['light of the world removed', ...missing, 'stiffness of left_knee_joint was estimated'];
  const groups = groupWarnings(warnings);
  expect(groups.map(({ texts }) => texts.length)).toEqual([1, 37, 1]);
  expect(groups[1]!.texts).toEqual(missing);
  expect(groupWarnings(missing.slice(0, 2)).map(({ texts }) => texts.length)).toEqual([1, 1]);
});
