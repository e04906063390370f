import { describe, expect, test } from 'vitest';
import type { QaIssue } from '../../../../web/src/features/data/shared/clip-issues.ts';
import type { Channel } from '../../../../web/src/features/data/shared/plot-reply.ts';
import {
  channelMatches,
  channelName,
  channelUnit,
  firstGroups,
  groupChannels,
  layCharts,
} from '../../../../web/src/features/plots/channels.ts';
import { layBadges } from '../../../../web/src/features/plots/issues.ts';
import { defaultIds, readChoice, writeChoice } from '../../../../web/src/features/plots/selection.ts';
import {
  clampWindow,
  clockLabel,
  firstWindow,
  followTime,
  frameAt,
  instantLabel,
  panWindow,
  shareOf,
  windowAround,
  windowTicks,
  zoomWindow,
} from '../../../../web/src/features/plots/time-window.ts';
import {
  decimalsOf,
  fitRange,
  tickDecimals,
  valueTicks,
  zoomRange,
} from '../../../../web/src/features/plots/value-range.ts';

const channel = (id: string, group: string, unit: string): Channel => ({
  id,
  name: id.slice(id.indexOf('.') + 1),
  group,
  unit,
  lower: null,
  upper: null,
});
const CHANNELS: readonly Channel[] = [
  channel('root.pos.x', 'root', 'm'),
  channel('root.pos.y', 'root', 'm'),
  channel('root.pos.z', 'root', 'm'),
  channel('joint.waist_yaw_joint', 'joints', 'rad'),
  channel('joint.left_knee_joint', 'joints', 'rad'),
  channel('joint.right_knee_joint', 'joints', 'rad'),
  channel('torque.left_knee_joint', 'torques', 'Nm'),
  channel('height.left_foot_link', 'feet', 'm'),
  channel('height.right_foot_link', 'feet', 'm'),
  channel('root.vel.x', 'velocities', 'raw'),
  channel('vel.left_knee_joint', 'velocities', 'raw'),
];
const all = new Set(CHANNELS.map(({ id }) => id));

describe('channels', () => {
  test("groups keep the service's order, and estimates are named as estimates", () => {
    const groups = groupChannels(CHANNELS);
    expect(groups.map(({ title }) => title)).toEqual(['Root', 'Joints', 'Torques', 'Feet', 'Velocities']);
    expect(groups[2]!.note).toBe('estimate');
    expect(groups[1]!.channels).toHaveLength(3);
  });

  test('channel names are the names of the file without the word joint', () => {
    expect(channelName(CHANNELS[4]!)).toBe('left_knee');
    expect(channelName(CHANNELS[2]!)).toBe('Position z');
  });

  test('the unit of a raw speed follows from its quantity', () => {
    expect(channelUnit(CHANNELS[10]!, () => 'rad')).toBe('rad/s');
    expect(channelUnit(CHANNELS[10]!, () => null)).toBe('raw');
    expect(channelUnit(CHANNELS[9]!, () => null)).toBe('m/s');
    expect(channelUnit(channel('speed.left_foot_link', 'feet', 'raw'), () => null)).toBe('m/s');
  });

  test('a search matches every word in name or group', () => {
    expect(CHANNELS.filter((c) => channelMatches(c, 'knee torq')).map(({ id }) => id)).toEqual([
      'torque.left_knee_joint',
    ]);
  });

  test('left and right share a chart; the root height has its own', () => {
    const charts = layCharts(CHANNELS, all, 'pairs');
    expect(charts.map(({ title, unit }) => `${title} ${unit}`)).toEqual([
      'Root position m',
      'Root position m',
      'Waist yaw rad',
      'Knee rad',
      'Knee torque Nm',
      'Foot height m',
      'Root velocity m/s',
      'Knee velocity rad/s',
    ]);
    expect(charts[3]!.lines).toEqual([
      { channel: 4, label: 'left', colour: 0 },
      { channel: 5, label: 'right', colour: 1 },
    ]);
    expect(charts[1]!.lines.map(({ label }) => label)).toEqual(['z']);
  });

  test('the layout gives each channel or each group a chart', () => {
    expect(layCharts(CHANNELS, all, 'single')).toHaveLength(CHANNELS.length);
    const groups = layCharts(CHANNELS, all, 'group');
    expect(groups.map(({ title, lines }) => `${title} ${lines.length}`)).toContain('Joints 3');
  });

  test('the right side keeps its colour when shown alone', () => {
    const [chart] = layCharts(CHANNELS, new Set(['joint.right_knee_joint']), 'pairs');
    expect(chart!.lines).toEqual([{ channel: 5, label: 'right', colour: 1 }]);
  });

  test('height, knees and feet are shown first; a robot without them shows other channels', () => {
    expect(defaultIds(CHANNELS)).toEqual([
      'root.pos.z',
      'joint.left_knee_joint',
      'joint.right_knee_joint',
      'height.left_foot_link',
      'height.right_foot_link',
    ]);
    expect(defaultIds([channel('joint.a', 'joints', 'rad')])).toEqual(['joint.a']);
  });

  test('a stored choice is read back, and an invalid one is ignored', () => {
    const choice = { ids: ['a', 'b'], layout: 'single', reference: false } as const;
    expect(readChoice(writeChoice(choice))).toEqual(choice);
    expect(readChoice('{"ids":["a",3],"layout":"odd"}')).toEqual({ ids: ['a'], layout: 'pairs', reference: true });
    for (const text of ['', 'null', '{', '[]', '{"ids":1}']) expect(readChoice(text)).toBeNull();
  });
});

describe('windows of time', () => {
  const clip = { duration: 100, fps: 50 };

  test('zooming keeps the time under the pointer in place', () => {
    const next = zoomWindow({ from: 20, to: 60 }, 30, 0.5, clip);
    expect(next).toEqual({ from: 25, to: 45 });
    expect(shareOf(next, 30 * 50, 50)).toBeCloseTo(shareOf({ from: 20, to: 60 }, 30 * 50, 50));
  });

  test('a window is between four frames and the length of the clip, and stays inside the clip', () => {
    expect(zoomWindow({ from: 20, to: 60 }, 30, 99, clip)).toEqual({ from: 0, to: 100 });
    const least = zoomWindow({ from: 20, to: 60 }, 30, 1e-9, clip);
    expect(least.to - least.from).toBeCloseTo(0.08);
    expect(panWindow({ from: 20, to: 60 }, 70, 100)).toEqual({ from: 60, to: 100 });
    expect(clampWindow({ from: -5, to: 5 }, 100)).toEqual({ from: 0, to: 10 });
    expect(clampWindow({ from: 0, to: 0 }, 0)).toEqual({ from: 0, to: 0 });
  });

  test('the window moves when the playhead leaves it', () => {
    const window = { from: 20, to: 30 };
    expect(followTime(window, 25, 100)).toBe(window);
    expect(followTime(window, 31, 100)).toEqual({ from: 30, to: 40 });
    expect(followTime(window, 0, 100)).toEqual({ from: 0, to: 10 });
  });

  test('every frame is found at the position where it is drawn', () => {
    const window = { from: 12.34, to: 17.2 };
    for (let frame = 617; frame < 860; frame++) {
      expect(frameAt(window, shareOf(window, frame, 50), 50, 5000)).toBe(frame);
    }
    expect(frameAt(window, -99, 50, 5000)).toBe(0);
    expect(frameAt(window, 99, 50, 600)).toBe(599);
  });

  test('an issue is shown with some time before and after it', () => {
    expect(firstWindow(12, 5)).toEqual({ from: 0, to: 12 });
    expect(firstWindow(261, 110)).toEqual({ from: 105, to: 115 });
    expect(firstWindow(261, 260)).toEqual({ from: 251, to: 261 });
    expect(windowAround(500, 500, 50, 100)).toEqual({ from: 8, to: 12 });
    expect(windowAround(500, 1000, 50, 100)).toEqual({ from: 0, to: 30 });
  });

  test('time ticks are at round times and fit into the width', () => {
    const ticks = windowTicks({ from: 106, to: 116 }, 620);
    expect(ticks.map(({ label }) => label)).toEqual(Array.from({ length: 11 }, (_, k) => `1:${46 + k}`));
    expect(windowTicks({ from: 0, to: 261 }, 620).map(({ label }) => label)).toContain('4:00');
    for (const span of [0.1, 0.7, 3, 47, 999, 50_000]) {
      const some = windowTicks({ from: 1, to: 1 + span }, 600);
      expect(some.length).toBeGreaterThan(0);
      expect(some.length).toBeLessThan(13);
      expect(new Set(some.map(({ label }) => label)).size).toBe(some.length);
    }
    expect(clockLabel(59.96, 1)).toBe('1:00.0');
  });
});

describe('windows of value', () => {
  test('limits near the data are shown; limits that would flatten the lines are not', () => {
    const extents = [{ min: -0.35, max: 0.32, mean: 0 }];
    const near = fitRange(extents, [{ lower: -0.873, upper: 0.524 }]);
    expect(near.low).toBeLessThan(-0.873);
    expect(near.high).toBeGreaterThan(0.524);
    const far = fitRange(extents, [{ lower: -3, upper: null }]);
    expect(far.low).toBeGreaterThan(-0.5);
  });

  test('constant data and missing data also have a range', () => {
    for (const value of [0, 0.8, -1200]) {
      const { low, high } = fitRange([{ min: value, max: value, mean: value }], []);
      expect(low).toBeLessThan(value);
      expect(high).toBeGreaterThan(value);
    }
    expect(fitRange([null], [])).toEqual({ low: -1, high: 1 });
  });

  test('value ticks are round, inside the range, at least two and at most four', () => {
    expect(valueTicks({ low: -1.05, high: 0.7 }, 120)).toEqual([-1, -0.5, 0, 0.5]);
    for (const range of [
      { low: 0, high: 1 },
      { low: -55, high: 55 },
      { low: 0.7031, high: 0.7033 },
      { low: -1e6, high: 3 },
    ]) {
      const ticks = valueTicks(range, 120);
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(4);
      expect(ticks.every((tick) => tick >= range.low - 1e-9 && tick <= range.high + 1e-9)).toBe(true);
    }
    expect(tickDecimals([-0.5, 0, 0.5])).toBe(1);
    expect(tickDecimals([0, 50])).toBe(0);
  });

  test('zooming keeps the value under the pointer', () => {
    expect(zoomRange({ low: -1, high: 3 }, 1, 0.5)).toEqual({ low: 0, high: 2 });
  });

  test('the number of decimals fits the range', () => {
    expect([1.75, 110, 0.02, 5e4].map((span) => decimalsOf({ low: 0, high: span }))).toEqual([3, 2, 4, 0]);
  });
});

describe('issues over the charts', () => {
  const issue = (severity: QaIssue['severity'], first: number, last: number): QaIssue => ({
    kind: 'foot_sliding',
    severity,
    text: '',
    frames: [first, last],
    plot: { channels: [], frame: first },
    fix: null,
    body: null,
    ignored: false,
  });

  test('the badge of overlapping issues shows the worst one and the number of others', () => {
    const issues = [
      issue('warning', 500, 520),
      issue('error', 510, 512),
      issue('info', 2500, 2500),
      issue('error', 9000, 9001),
    ];
    const badges = layBadges(issues, { from: 0, to: 60 }, 50, 1000);
    expect(badges.map(({ issue: { severity }, more }) => [severity, more])).toEqual([
      ['error', 1],
      ['info', 0],
    ]);
    expect(badges.every(({ left }) => left >= 0 && left <= 880)).toBe(true);
  });

  test('the badge shows the selected issue, even if another is worse', () => {
    const chosen = issue('info', 505, 505);
    const [badge] = layBadges([issue('error', 510, 512), chosen], { from: 0, to: 60 }, 50, 1000, {
      chosen: { ...chosen },
    });
    expect([badge!.issue.severity, badge!.more]).toEqual(['info', 1]);
  });
});

test('time of a live record is counted back from its newest row', () => {
  const now = { time: 37.2, label: 'live' };
  const ticks = windowTicks({ from: 27.2, to: 37.2 }, 620, 56, now);
  expect(ticks.at(-1)).toEqual({ time: 37.2, label: 'live' });
  expect(ticks.map(({ label }) => label)).toContain('−5 s');
  expect(ticks.every(({ time }) => Math.abs(Math.round(time - 37.2) - (time - 37.2)) < 1e-9)).toBe(true);
  expect(instantLabel(36.95, 2, { duration: 37.2, nowLabel: '0 s' })).toBe('−0.25 s');
  expect(instantLabel(62.5, 1, { duration: 80, nowLabel: null })).toBe('1:02.5');
});

test('elements of an observation share a chart, and rewards are labelled as rewards', () => {
  const channels = [
    channel('obs.base_ang_vel[0]', 'observations', 'raw'),
    channel('obs.base_ang_vel[1]', 'observations', 'raw'),
    channel('reward.total', 'rewards', 'reward'),
  ];
  const charts = layCharts(channels, new Set(channels.map(({ id }) => id)), 'pairs');
  expect(charts.map(({ title, lines }) => [title, lines.map(({ label }) => label)])).toEqual([
    ['Base ang vel observation', ['0', '1']],
    ['Total reward', ['total']],
  ]);
});

test('groups of the shown channels are requested first, torques last', () => {
  expect(firstGroups(['joint.left_knee_joint', 'root.pos.z', 'height.left_foot'])).toEqual(['root', 'joints', 'feet']);
  expect(firstGroups(['torque.left_knee_joint', 'vel.left_knee_joint'])).toEqual(['velocities']);
  expect(firstGroups(['torque.left_knee_joint'])).toEqual(['torques']);
  expect(firstGroups([])).toEqual(['root']);
});
