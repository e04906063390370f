import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { formatYaml } from '../../../../src/core/yaml-file.ts';
import { differences, yamlLines } from '../../../../web/src/features/run-browser/yaml-lines.ts';

test('nested settings get their paths, list items their numbers', () => {
  const value = {
    policy: { layers: [512, 256], act: 'elu' },
    terms: [{ name: 'a', scale: 0.5 }, { name: 'b' }],
    seed: 1,
  };
  expect(parse(formatYaml(value))).toEqual(value);
  expect(Object.fromEntries(yamlLines(formatYaml(value)))).toEqual({
    'policy.layers.0': '512',
    'policy.layers.1': '256',
    'policy.act': 'elu',
    'terms.0.name': 'a',
    'terms.0.scale': '0.5',
    'terms.1.name': 'b',
    seed: '1',
  });
});

test('lists at the indentation of their key, and tags of Python, are read', () => {
  const text = 'ranges: &id1\n- 1\n- 2\nmode: !!python/object/apply:Mode fast\n# a comment\nlast: 3\n';
  expect([...yamlLines(text)]).toEqual([
    ['ranges.0', '1'],
    ['ranges.1', '2'],
    ['mode', 'fast'],
    ['last', '3'],
  ]);
});

test('only settings that differ are listed, with null for a missing one', () => {
  const texts = ['a: 1\nb: 2\n', 'a: 1\nb: 3\n', 'a: 1\n'].map(yamlLines);
  expect(differences(texts)).toEqual([{ name: 'b', values: ['2', '3', null] }]);
});
