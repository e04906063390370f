import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { openClipRobot } from '../../../src/motion/clip-robot.ts';
import { findMirrorMap, mirroredBodies } from '../../../src/motion/convert/mirror.ts';
import { prepareRobot } from '../../../src/robots/prepared-robot.ts';
import { inspected } from '../../support/inspected.ts';
import { dogMjcf } from '../../support/models.ts';
import { clipSource } from '../../support/robots.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'mirror-'));
});
afterEach(() => rmSync(base, { recursive: true }));

/** Returns the partner of each joint and body by name, or why a robot has no mirror image. */
async function partners(mjcf: string): Promise<Record<string, string> | string> {
  const folder = path.join(base, 'dog');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'dog.xml'), mjcf);
  const { spec } = inspected(mjcf);
  writeFileSync(path.join(folder, 'robot.yaml'), stringify({ ...spec, version: 1, id: 'dog', model: 'dog.xml' }));
  const robot = await openClipRobot(
    clipSource(await prepareRobot({ kind: 'folder', id: 'dog', folder }, path.join(base, 'cache'))),
  );
  const map = findMirrorMap(robot);
  if (typeof map === 'string') return map;
  const pairs = (parts: readonly { readonly name: string }[], partner: readonly number[]) =>
    parts.map(({ name }, k) => [name, parts[partner[k]!]!.name]);
  const { joints, bodies } = robot.facts;
  return Object.fromEntries([...pairs(joints, map.partner), ...pairs(bodies, mirroredBodies(robot.facts, map))]);
}

const LEGS = ['rr', 'fl', 'rl', 'fr'] as const;
const MIRRORED = { rr: 'rl', fl: 'fr', rl: 'rr', fr: 'fl' } as const;

test.each<[style: string, names: Readonly<Record<(typeof LEGS)[number], string>>]>([
  ['fl, fr, rl, rr', { fl: 'fl', fr: 'fr', rl: 'rl', rr: 'rr' }],
  ['LF, RF, LH, RH', { fl: 'LF', fr: 'RF', rl: 'LH', rr: 'RH' }],
  ['LF, RF, LR, RR', { fl: 'LF', fr: 'RF', rl: 'LR', rr: 'RR' }],
  ['numbers, which tell no side', { fl: 'leg1', fr: 'leg2', rl: 'leg3', rr: 'leg4' }],
  ['a mistyped name', { fl: 'lleft_front', fr: 'right_front', rl: 'left_rear', rr: 'right_rear' }],
])('the legs of a quadruped change sides, whatever they are called: %s', async (_, names) => {
  const mjcf = dogMjcf().replace(/"(rr|fl|rl|fr)_/g, (_word, leg: (typeof LEGS)[number]) => `"${names[leg]}_`);
  const found = await partners(mjcf);
  for (const leg of LEGS)
    for (const part of ['hip', 'thigh', 'calf'])
      for (const end of ['_joint', ''])
        expect(found).toMatchObject({ [`${names[leg]}_${part}${end}`]: `${names[MIRRORED[leg]]}_${part}${end}` });
});

test('a joint without a partner does not take the value of a joint beside it', async () => {
  // A second hinge of the front left thigh, at the place and with the axis of the first one.
  const spare = dogMjcf().replace(
    '<joint name="fl_thigh_joint"',
    '<joint name="left_spare_joint" axis="0 1 0" range="-1 1"/><joint name="fl_thigh_joint"',
  );
  expect(await partners(spare)).toBe(
    'joint left_spare_joint has no partner right_spare_joint on the other side, and none at its mirrored place',
  );
});

test('a joint on the midline keeps its place, although its name contains a side', async () => {
  const waist = dogMjcf().replace(
    '<geom type="box" size="0.2 0.1 0.05" mass="6"/>',
    `$&<body name="mast"><joint name="upright_joint" axis="0 0 1" range="-1 1"/><geom size="0.03" mass="0.5"/>
       <body name="lamp" pos="0 0 0.1"><joint name="WAIST_R" axis="0 0 1" range="-1 1"/><geom size="0.03" mass="0.5"/></body></body>`,
  );
  expect(await partners(waist)).toMatchObject({ upright_joint: 'upright_joint', WAIST_R: 'WAIST_R' });
});

test('a pitch joint beside the middle, without an image on the other side, keeps its place', async () => {
  const head = dogMjcf().replace(
    '<geom type="box" size="0.2 0.1 0.05" mass="6"/>',
    `$&<body name="head" pos="0.2 0.02 0.1"><joint name="head_tilt" axis="0 1 0" range="-1 1"/><geom size="0.03" mass="0.5"/></body>`,
  );
  expect(await partners(head)).toMatchObject({ head_tilt: 'head_tilt' });
});

test('a robot with a leg that has no image on the other side is not mirrored', async () => {
  const found = await partners(dogMjcf().replace('pos="0.2 -0.1 0"', 'pos="0.1 -0.1 0"').replaceAll('"fl_', '"leg_'));
  expect(found).toBe(
    'joint leg_hip_joint is beside the middle of the robot, and its partner on the other side is not known by its name or place',
  );
});
