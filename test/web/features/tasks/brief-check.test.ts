import { expect, test } from 'vitest';
import { briefCheck } from '../../../../web/src/features/tasks/shared/brief-check.ts';

test('a check shows as many values as fit on a line', () => {
  expect(briefCheck('19 rewards, 5 terminations, 0 events, episodes of 10 s')).toBe('19 rewards, 5 terminations');
  expect(briefCheck('actor 100 (joint_pos joint_vel), critic 625 (joint_pos); 21 actions')).toBe(
    'actor 100, critic 625',
  );
  expect(briefCheck('128 environments in 2 threads need about 436 MB of memory, 21734 MB are free')).toBe(
    '436 MB, 21.7 GB free',
  );
  expect(briefCheck('7 checkpoints and logs need about 79 MB, 72155 MB of disk are free')).toBe(
    '79.0 MB, 72.2 GB free',
  );
  expect(briefCheck('starts with new networks: no earlier run of T on g1 has been evaluated')).toBe('new networks');
  expect(briefCheck('finite after one step from the start of 6 clips')).toBe('no NaN (6 starts)');
  expect(
    briefCheck(
      'clip "a, b (2)" stands off balance for 3.8 s of its 10.0 s, first after 6.4 s. On average over a second, …',
    ),
  ).toBe('off balance for 3.8 s');
  expect(
    briefCheck(
      'the limit train.max_minutes of 10 minutes allows about 1092 of the 1623 iterations planned for this motion',
    ),
  ).toBe('1092 of 1623 iterations');
  // a single clause is not shortened: the page truncates it where necessary
  expect(briefCheck('continues from iteration 250 of a run of the same task')).toBe(
    'continues from iteration 250 of a run of the same task',
  );
});
