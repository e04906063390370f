import { expect, test } from 'vitest';
import { contactPath, footContacts } from '../../../../web/src/features/data/shared/contact-stretches.ts';
import type { PlotReply } from '../../../../web/src/features/data/shared/plot-reply.ts';

/** @param heights by foot and frame, m */
function reply(heights: Readonly<Record<string, readonly number[]>>): PlotReply {
  const feet = Object.keys(heights);
  const frames = heights[feet[0]!]!.length;
  const rows = Float32Array.from({ length: frames * feet.length }, (_, at) => {
    return heights[feet[at % feet.length]!]![Math.floor(at / feet.length)]!;
  });
  const channels = feet.map((name) => ({
    id: name.includes('.') ? name : `height.${name}`,
    name,
    group: 'feet',
    unit: 'm',
    lower: null,
    upper: null,
  }));
  const data = Buffer.from(rows.buffer).toString('base64');
  return { title: 'clip', fps: 50, frames, channels, data, ref: null, ref_label: null };
}

test('a foot is in contact while its sole is at the floor; NaN is not a contact', () => {
  const [left, right] = footContacts(
    reply({
      left_ankle_roll_link: [0, 0.019, 0.021, 0.3, -0.01, 0.01],
      right_ankle_roll_link: [0.1, Number.NaN, 0.1, 0.1, 0.1, 0.1],
    }),
  );
  expect(left!.stretches).toEqual([
    { first: 0, end: 2 },
    { first: 4, end: 6 },
  ]);
  expect(contactPath(left!)).toBe('M0 0H2V1H0zM4 0H6V1H4z');
  expect(right!.stretches).toEqual([]);
  expect(contactPath(right!)).toBe('');
});

test.each([
  [
    ['left_ankle_roll_link', 'right_ankle_roll_link', 'wheel'],
    ['Left foot', 'Right foot', 'wheel'],
  ],
  [
    ['foot_r', 'foot_l'],
    ['Right foot', 'Left foot'],
  ],
  [
    ['FL_calf', 'FR_calf', 'RL_calf', 'RR_calf'],
    ['FL_calf', 'FR_calf', 'RL_calf', 'RR_calf'],
  ],
])('%s: a foot is named by its side if the side has no other', (names, shown) => {
  const feet = footContacts(reply(Object.fromEntries(names.map((name) => [name, [0]]))));
  expect(feet.map(({ name }) => name)).toEqual(shown);
});

test('channels of the speed of a foot are not used as contacts', () => {
  const feet = footContacts(reply({ foot_l: [0], 'speed.foot_l': [0] }));
  expect(feet).toEqual([{ name: 'Left foot', stretches: [{ first: 0, end: 1 }] }]);
});
