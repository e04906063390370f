import { expect, test } from 'vitest';
import { convertClip } from '../../../src/motion/convert/convert-clip.ts';
import { restingBody } from '../../../src/motion/library/resting-body.ts';
import { PROCEDURAL_CLIPS } from '../../../src/motion/procedural/generate-clip.ts';
import { builtinClip, KIT_CLIPS, kitClip } from '../../support/clips.ts';
import { hasKit } from '../../support/kit.ts';
import { g1ClipRobot, humanoidClipRobot } from '../../support/robots.ts';

const options = { outputFps: 50, debiasZ: false };

test('a robot that walks, waves and squats rests only on its feet', async () => {
  const robot = await humanoidClipRobot();
  for (const name of PROCEDURAL_CLIPS)
    expect([name, restingBody(robot, convertClip(robot, builtinClip(name), options).motion)]).toEqual([name, null]);
});

test('a robot that lies for longer than a moment does not rest only on its feet', async () => {
  const robot = await humanoidClipRobot();
  const clip = builtinClip('squat');
  for (const [frames, rests] of [
    [3, false],
    [30, true],
  ] as const) {
    const rows = clip.rows.slice();
    for (let frame = 0; frame < frames; frame += 1)
      rows.set([0, 0, 0.1, Math.SQRT1_2, 0, Math.SQRT1_2, 0], frame * robot.nq);
    const { motion } = convertClip(robot, { ...clip, rows }, options);
    expect([frames, restingBody(robot, motion) !== null]).toEqual([frames, rests]);
  }
});

test.runIf(hasKit)('of the clips of the kit, only those that fall and get up rest on more than the feet', async () => {
  const robot = await g1ClipRobot();
  for (const name of KIT_CLIPS) {
    const body = restingBody(robot, convertClip(robot, kitClip(name), options).motion);
    expect([name, body !== null]).toEqual([name, name.startsWith('fallAndGetUp')]);
  }
});
