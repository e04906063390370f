import { expect, test } from 'vitest';
import { commentOf, parseQueue, sightingOf } from '../../../src/jobs/slurm/slurm-states.ts';

test('Slurm jobs are identified by their comment, not their number, and other jobs are not touched', () => {
  const text = [
    '12|RUNNING|None|motion-studio:a-b',
    '13|PENDING|Resources|somebody|else',
    '14|FAILED|NonZeroExitCode|(null)',
    '15_3|COMPLETED|None|motion-studio:c',
    '',
  ].join('\n');
  expect([...parseQueue(text)]).toEqual([
    ['a-b', { id: '12', state: 'RUNNING', reason: 'None' }],
    ['c', { id: '15_3', state: 'COMPLETED', reason: 'None' }],
  ]);
  expect(commentOf('a-b')).toBe('motion-studio:a-b');
});

test.for([
  ['PENDING', 'Resources', 'queued', 'waits in Slurm: Resources'],
  ['PENDING', 'DependencyNeverSatisfied', 'queued', 'needs attention'],
  ['RUNNING', 'None', 'running', null],
  ['SUSPENDED', 'None', 'running', 'suspended'],
  ['COMPLETED', 'None', 'ended', null],
  ['TIMEOUT', 'TimeLimit', 'ended', 'time limit'],
  ['OUT_OF_MEMORY', 'OutOfMemory', 'ended', 'memory'],
  ['NODE_FAIL', 'None', 'ended', 'node'],
  ['FAILED', 'NonZeroExitCode', 'ended', 'FAILED (NonZeroExitCode)'],
  ['EXPEDITING', 'None', 'unknown', 'Slurm reports EXPEDITING'],
] as const)('the Slurm state %s (%s) is %s', ([state, reason, seen, words]) => {
  const sighting = sightingOf({ id: '1', state, reason });
  expect(sighting.state).toBe(seen);
  if (words === null) expect('detail' in sighting ? sighting.detail : null).toBeNull();
  else expect(sighting).toMatchObject({ detail: expect.stringContaining(words) });
});

test('a cancelled job is distinguished from a failed one', () => {
  expect(sightingOf({ id: '1', state: 'CANCELLED', reason: 'None' })).toMatchObject({
    state: 'ended',
    cancelled: true,
  });
});
