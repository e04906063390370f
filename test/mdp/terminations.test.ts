import { describe, expect, test } from 'vitest';
import { LIBRARY } from '../../src/mdp/library.ts';
import type { Params } from '../../src/mdp/task-config.ts';
import { ENV, POSE, type TinyValues, tinyContext } from '../support/terms.ts';

const ends = (name: string, params: Params = {}, changes: TinyValues = {}) =>
  LIBRARY.terminations[name]!.make(tinyContext(changes), params)(ENV);

describe('an episode ends', () => {
  test.each<[string, Params, TinyValues, boolean]>([
    ['time_out', {}, {}, false],
    ['time_out', {}, { episodeStep: [500] }, true],
    // anchor 0.1 m too low, distance √0.3 = 0.548 m
    ['bad_anchor_pos_z_only', {}, {}, false],
    ['bad_anchor_pos_z_only', { threshold: 0.09 }, {}, true],
    ['bad_anchor_pos_z_only', {}, { bodyPosW: [0, 0, 0, 0, 0, 1.86, 0, 0, 0] }, true],
    ['bad_anchor_pos', { threshold: 0.54 }, {}, true],
    ['bad_anchor_pos', { threshold: 0.55 }, {}, false],
    // gravity's z is −1 in the frame of the robot's anchor, and 0 in that of the reference
    ['bad_anchor_ori', {}, {}, true],
    ['bad_anchor_ori', { threshold: 1.01 }, {}, false],
    // torso 0.1 m too low, hand at the right height but 0.3 m away
    ['bad_motion_body_pos_z_only', { threshold: 0.09 }, {}, true],
    ['bad_motion_body_pos_z_only', { threshold: 0.09, body_names: ['hand'] }, {}, false],
    ['bad_motion_body_pos_z_only', {}, { relBodyPosW: [11, 20, 1.5, 11, 22, 0.94] }, true],
    ['bad_motion_body_pos_z_only', { body_names: [] }, { relBodyPosW: [0, 0, 9, 0, 0, 9] }, false],
    ['bad_motion_body_pos', {}, {}, true],
    ['bad_motion_body_pos', { threshold: 0.31 }, {}, false],
    ['bad_motion_body_pos', { threshold: 0.25, body_names: ['torso'] }, {}, false],
    // e − 1 = 1.7 N at the torso, e² − 1 = 6.4 N at the hand
    ['excessive_contact_force', {}, {}, false],
    ['excessive_contact_force', { force_threshold: 6 }, {}, true],
    ['excessive_contact_force', { force_threshold: 6, body_names: ['torso'] }, {}, false],
    ['excessive_keybody_ground_contact_force', {}, { contactForce: [0, 0, 0, 0, 0, -1999] }, false],
    ['excessive_keybody_ground_contact_force', {}, { contactForce: [0, 0, 0, 1500, 0, -1500] }, true],
    // the root is a quarter turn from upright
    ['bad_orientation', { limit_angle: 1.57 }, {}, true],
    ['bad_orientation', { limit_angle: 1.58 }, {}, false],
    ['root_height_below_minimum', { minimum_height: 1.01 }, {}, true],
    ['root_height_below_minimum', { minimum_height: 0.99 }, {}, false],
    ['nan_detection', {}, {}, false],
    ['nan_detection', {}, { jointVel: [0, Number.NaN] }, true],
    ['nan_detection', {}, { bodyPosW: [0, Number.POSITIVE_INFINITY, 0, 0, 0, 0, 0, 0, 0] }, true],
    ['nan_detection', {}, { bodyQuatW: [1, 0, 0, Number.NaN, 1, 0, 0, 0, 1, 0, 0, 0] }, true],
    ['nan_detection', {}, { bodyAngVelW: [0, 0, Number.NEGATIVE_INFINITY, 0, 0, 0, 0, 0, 0] }, true],
  ])('the termination %s %j %j: %s', (name, params, changes, wanted) =>
    expect(ends(name, params, changes)).toBe(wanted),
  );

  test('an episode ends only when a value exceeds its threshold, not when it equals the threshold', () => {
    const at = (z: number) => ({
      ...POSE,
      refBodyPosW: [0, 0, 0, 0, 0, 1.25, 0, 0, 0],
      bodyPosW: [0, 0, 0, 0, 0, z, 0, 0, 0],
    });
    expect(ends('bad_anchor_pos_z_only', {}, at(1))).toBe(false);
    expect(ends('bad_anchor_pos_z_only', {}, at(0.99))).toBe(true);
  });
});
