import { expect, test } from 'vitest';
import { failedStretches } from '../../src/evaluate/failed-stretches.ts';
import { metricsOf } from '../../src/evaluate/summarise.ts';
import { episode, reportData } from '../support/report-data.ts';

const clips = ['walk', 'run'];
/** `walk` fails at 1 s, 1.5 s and 8 s of its 9.98 s, `run` at 0.5 s in one of four episodes. */
const data = {
  ...reportData({ clips }),
  groups: [
    {
      checkpoint: 'model_900.pt',
      condition: 'nominal',
      episodes: [
        ...[episode(0, 0, 50), episode(0, 0, 75), episode(0, 250, 400), episode(0, 375, null)],
        ...[episode(1, 0, 25), episode(1, 125, null), episode(1, 250, null), episode(1, 375, null)],
      ],
    },
  ],
};

test('failures of clips below the bound give stretches with a margin; overlapping stretches are joined', () => {
  expect(failedStretches(data, { below: 0.5, marginS: 1 })).toEqual([
    { clip: 'walk', fromS: 0, toS: 2.5 },
    { clip: 'walk', fromS: 7, toS: 9 },
  ]);
});

test('stretches end with the clip, and a success equal to the bound is not below it', () => {
  expect(failedStretches(data, { below: 0.75, marginS: 3 })).toEqual([
    { clip: 'walk', fromS: 0, toS: 4.5 },
    { clip: 'walk', fromS: 5, toS: 499 / 50 },
  ]);
  expect(failedStretches(data, { below: 0.76, marginS: 0.25 }).at(-1)).toEqual({ clip: 'run', fromS: 0.25, toS: 0.75 });
});

test('the success of a clip is the number that its row shows: 0.2 is not below 0.2', () => {
  const episodes = [50, 50, 50, 50, null].map((failed) => episode(0, 0, failed));
  const one = { ...data, groups: [{ ...data.groups[0]!, episodes }] };
  expect(metricsOf(episodes, 50).success).toBe(0.2);
  expect(failedStretches(one, { below: 0.2, marginS: 1 })).toEqual([]);
});

test('only failures of the named checkpoint and condition are used', () => {
  expect(failedStretches(data, { below: 1, marginS: 1, checkpoint: 'model_300.pt' })).toEqual([]);
  expect(failedStretches(data, { below: 1, marginS: 1, condition: 'nominal' })).toHaveLength(3);
});
