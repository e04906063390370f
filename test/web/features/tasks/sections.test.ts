import { expect, test } from 'vitest';
import type { Knob } from '../../../../src/protocol/schemas/presets.ts';
import { knobName, sectionsOf } from '../../../../web/src/features/tasks/sections.ts';
import { addedTerms, freshKnobs, termPathOf } from '../../../../web/src/features/tasks/term-paths.ts';

const knob = (path: string, value: unknown, type: Knob['type'] = 'number'): Knob => ({
  path,
  type,
  default: value,
  value,
  description: `about ${path}`,
});

const gyro = 'observations.actor.terms.base_ang_vel';
const KNOBS = [
  knob('decimation', 4, 'integer'),
  knob(`${gyro}.noise.n_min`, -0.2),
  knob(`${gyro}.noise.n_max`, 0.2),
  knob(`${gyro}.noise_scale`, 1),
  knob(`${gyro}.history_length`, 0, 'integer'),
  knob('observations.actor.history_length', 1, 'integer'),
  knob('rewards.survival.weight', 1),
  knob('rewards.survival.params.std', 0.5),
  knob('commands.motion.rsi.alpha', 0.005),
];

test('the term is found from the path', () => {
  expect(termPathOf(`${gyro}.noise.n_min`)).toBe(gyro);
  expect(termPathOf('rewards.survival')).toBe('rewards.survival');
  expect(termPathOf('observations.actor.history_length')).toBeNull();
  expect(termPathOf('decimation')).toBeNull();
});

test('knobs are sorted into sections, terms first, common knobs at the top', () => {
  const sections = sectionsOf(KNOBS, [{ path: gyro, description: 'gyro' }]);
  expect(sections.map(({ title }) => title)).toEqual(['Actor observations', 'Rewards', 'Motion command', 'Episode']);
  const [observations, rewards, command] = sections;
  expect(observations?.items.map(({ name, isTerm }) => [name, isTerm])).toEqual([
    ['base_ang_vel', true],
    ['history_length', false],
  ]);
  const [term] = observations?.items ?? [];
  expect(term?.description).toBe('gyro');
  expect(term?.main.map(({ path }) => path)).toEqual([`${gyro}.noise_scale`]);
  expect(term?.more).toHaveLength(3);
  const [survival] = rewards?.items ?? [];
  expect(survival && knobName(survival, survival.more[0]!)).toBe('std');
  expect(command?.items[0]).toMatchObject({ place: 'motion / rsi', name: 'alpha' });
});

test('a term can be added only while it is absent and not removed', () => {
  const present = new Set(['rewards.survival']);
  const edits = {
    'rewards.feet_slip': {},
    'rewards.feet_slip.weight': -1,
    'rewards.survival.weight': 2,
    'rewards.gone': null,
  };
  expect(addedTerms(edits, present)).toEqual(['rewards.feet_slip']);
});

test('a new term has the knobs of its kind with default values, and its own parameters', () => {
  const term = {
    name: 'torso_ang_vel',
    unit: 'rad/s',
    description: '',
    params: [knob('params.body_name', 'trunk', 'string')],
  };
  const path = 'observations.actor.terms.torso_ang_vel';
  expect(freshKnobs(path, term, KNOBS).map(({ path: at, value }) => [at.slice(path.length + 1), value])).toEqual([
    ['noise.n_min', 0],
    ['noise.n_max', 0],
    ['noise_scale', 1],
    ['history_length', 0],
    ['params.body_name', 'trunk'],
  ]);
});
