import { expect, test } from 'vitest';
import {
  badgeOf,
  briefIssue,
  bySeverity,
  fixesOf,
  fixName,
  issueTime,
  markersOf,
  nextIssue,
  type QaIssue,
  shownFrame,
} from '../../../../web/src/features/data/shared/clip-issues.ts';

function issue(
  from: number,
  to: number,
  severity: QaIssue['severity'] = 'warning',
  more: Partial<QaIssue> = {},
): QaIssue {
  return {
    kind: 'jump',
    severity,
    text: '',
    frames: [from, to],
    plot: { channels: [], frame: from },
    fix: null,
    body: null,
    ignored: false,
    ...more,
  };
}

test('issues are grouped by severity, worst first, each group in the order of time', () => {
  const groups = bySeverity([issue(50, 60, 'info'), issue(90, 91, 'error'), issue(10, 12, 'error')]);
  expect(groups.map(({ severity, issues }) => [severity, issues.map(({ frames }) => frames[0])])).toEqual([
    ['error', [10, 90]],
    ['info', [50]],
  ]);
});

test('a click seeks to the frame that shows the issue best, within its range', () => {
  expect(shownFrame(issue(10, 20, 'error', { plot: { channels: [], frame: 14 } }))).toBe(14);
  expect(shownFrame(issue(10, 20, 'error', { plot: { channels: [], frame: 3 } }))).toBe(10);
});

test('a time is shown to a hundredth of a second, a duration to a tenth', () => {
  expect(issueTime(issue(3560, 3560), 50)).toBe('1:11.20');
  expect(issueTime(issue(5745, 5810), 50)).toBe('1:54.9 – 1:56.2');
  expect(issueTime(issue(2999, 3100), 50)).toBe('1:00.0 – 1:02.0'); // 59.98 s is not shown as 0:60.0
});

test('overlapping markers are merged into one with the worst severity', () => {
  const markers = markersOf([issue(500, 520, 'info'), issue(0, 40), issue(505, 506, 'error')], 1001, 500, 12);
  expect(markers.map(({ at, to, severity, issues }) => [at, to, severity, issues.length])).toEqual([
    [0, 0.04, 'warning', 1],
    [0.5, 0.52, 'error', 2],
  ]);
  expect(markersOf([issue(500, 520), issue(505, 506)], 1001, 5000, 12)).toHaveLength(2); // 25 px apart
});

test('the next issue is the nearest one after the playhead, not one at the playhead', () => {
  const all = [issue(90, 95), issue(10, 12), issue(50, 60)];
  expect(nextIssue(all, 10, 1)?.frames[0]).toBe(50);
  expect(nextIssue(all, 90, -1)?.frames[0]).toBe(50);
  expect(nextIssue(all, 90, 1)).toBeNull();
  expect(nextIssue([], 0, 1)).toBeNull();
});

test('a badge shows the worst severity and the count; an unchecked clip does not have a badge', () => {
  expect(badgeOf(null)).toBeNull();
  expect(badgeOf({ worst: 'ok', issues: 0 })).toEqual({ kind: 'ok', text: 'OK' });
  expect(badgeOf({ worst: 'error', issues: 6 })).toEqual({ kind: 'error', text: '6' });
});

test('each repair is named and offered once', () => {
  expect(['debias_z', 'input_fps:60', 'trim_first_frame:3', 'reorder_joints:a,b'].map(fixName)).toEqual([
    'Fix floor offset',
    'Read at 60 fps',
    'Trim first 3 frames',
    'Reorder joints',
  ]);
  const some = [issue(0, 1, 'error', { fix: 'debias_z' }), issue(2, 3), issue(4, 5, 'error', { fix: 'debias_z' })];
  expect(fixesOf(some)).toEqual(['debias_z']);
});

test('an issue in the list shows its values; opening it shows frames and threshold', () => {
  expect(
    briefIssue(
      'the feet slide over the floor in frames 1633 to 1637, up to 1.56 m/s and 0.11 m far (tolerated: 0.50 m/s).',
    ),
  ).toBe('the feet slide over the floor, up to 1.56 m/s and 0.11 m far');
  expect(
    briefIssue(
      'left_hip_roll_link and left_wrist_yaw_link are 0.093 m inside each other at frame 2766 (tolerated: 0.015 m); left arm and left leg overlap in 8 % of the clip.',
    ),
  ).toBe('left_hip_roll_link and left_wrist_yaw_link are 0.093 m inside each other');
  expect(briefIssue('left_knee goes 0.12 rad beyond its upper limit at frame 7 (tolerated: 0.01 rad)')).toBe(
    'left_knee goes 0.12 rad beyond its upper limit',
  );
  expect(briefIssue('the first frame does not belong to the motion: the root jumps at once')).toBe(
    'the first frame does not belong to the motion: the root jumps at once',
  );
});
