import { expect, test } from 'vitest';
import { type PreviewUse, type SessionUse, Uses } from '../../src/app/uses.ts';
import type { Job } from '../../src/protocol/schemas/jobs.ts';

function uses(given: { jobs?: object[]; sessions?: SessionUse[]; previews?: PreviewUse[] }): Uses {
  const all = new Uses();
  all.connect({
    jobs: () => (given.jobs ?? []) as Job[],
    sessions: () => given.sessions ?? [],
    previews: () => given.previews ?? [],
  });
  return all;
}
const training = { name: 'train-1', dataset: 'walks', run: 'a/one', params: { robot: 'g1', resume_run: 'a/zero' } };
const session = { robot: 'g1', run: 'a/one', motion: 'data/g1/walks', clips: ['walk', 'run'] };
const preview = { robot: 'g1', dataset: 'walks', clips: ['walk'] };

test.each<[what: string, refuse: (all: Uses) => void, text: string | null]>([
  ['robot', (all) => all.refuseRobot('g1'), 'the robot "g1"'],
  ['another robot', (all) => all.refuseRobot('h1'), null],
  ['dataset', (all) => all.refuseDataset('g1', 'walks'), 'the dataset "walks"'],
  ['dataset of another robot', (all) => all.refuseDataset('h1', 'walks'), null],
  ['another dataset', (all) => all.refuseDataset('g1', 'walk'), null],
])('an object in use is named with the way to end that use: %s', (_, refuse, what) => {
  const cases: [Uses, string][] = [
    [uses({ jobs: [training] }), `the job "train-1" uses ${what}. Stop the job or wait until it ends.`],
    [uses({ sessions: [session] }), `the play session uses ${what}. Stop it first (POST /api/play/stop).`],
    [uses({ previews: [preview] }), `the open preview shows ${what}. Close it first (POST /api/data/close).`],
  ];
  for (const [all, text] of cases) {
    if (what === null) refuse(all);
    else expect(() => refuse(all)).toThrow(expect.objectContaining({ code: 'conflict', message: text }));
  }
  refuse(uses({}));
});

test('clips that are not shown or played may be deleted, but not clips of a dataset that a job uses', () => {
  const all = uses({ sessions: [session], previews: [preview] });
  all.refuseClips('g1', 'walks', ['jump', 'jump_M']);
  expect(() => all.refuseClips('g1', 'walks', ['walk'])).toThrow(
    'the play session uses the clip "walk" of the dataset "walks"',
  );
  expect(() => uses({ previews: [preview] }).refuseClips('g1', 'walks', ['jump', 'walk'])).toThrow(
    'the open preview shows the clip "walk" of the dataset "walks"',
  );
  expect(() => uses({ jobs: [training] }).refuseClips('g1', 'walks', ['jump'])).toThrow('uses the dataset "walks"');
});

test('a session being built uses all clips of its dataset, or only the clip of its file', () => {
  const building = uses({ sessions: [{ ...session, clips: null }] });
  expect(() => building.refuseClips('g1', 'walks', ['jump'])).toThrow('the play session uses the dataset "walks"');
  const onFile = uses({ sessions: [{ ...session, motion: 'data/g1/walks/npz/walk.npz', clips: ['walk'] }] });
  onFile.refuseClips('g1', 'walks', ['jump']);
  expect(() => onFile.refuseClips('g1', 'walks', ['walk'])).toThrow('the clip "walk"');
  expect(() => onFile.refuseDataset('g1', 'walks')).toThrow('the play session uses the dataset "walks"');
});

test('a run is in use by its training, by one that resumes it or starts from it, and by its session', () => {
  expect(() => uses({ jobs: [training] }).refuseRun('a/one')).toThrow('the job "train-1" uses the run "a/one"');
  expect(() => uses({ jobs: [training] }).refuseRun('a/zero')).toThrow('the job "train-1" uses the run "a/zero"');
  const starting = { ...training, run: 'a/three', params: { robot: 'g1', started_from: 'a/zero' } };
  expect(() => uses({ jobs: [starting] }).refuseRun('a/zero')).toThrow('the job "train-1" uses the run "a/zero"');
  expect(() => uses({ sessions: [session] }).refuseRun('a/one')).toThrow('the play session uses the run "a/one"');
  const embedded = { ...session, motion: 'logs/rsl_rl/a/two/exported/policy.onnx' };
  expect(() => uses({ sessions: [embedded] }).refuseRun('a/two')).toThrow('the play session uses the run "a/two"');
  uses({ jobs: [training], sessions: [session] }).refuseRun('a/on');
});
