import type { OverlayName } from '../protocol/frame.ts';
import type { FrameBuilder } from '../sim/frame-builder.ts';
import type { ShownRobot } from './scene.ts';

/** Radius of a marker's sphere, m. */
const RADIUS = 0.017;

/** Adds a sphere at the origin of each of `bodies`; the robot's pose must be computed. */
export function writeBodyMarkers(
  frame: FrameBuilder,
  robot: ShownRobot,
  name: OverlayName,
  bodies: readonly number[],
): void {
  let at = frame.overlay(name, 'spheres', bodies.length);
  const out = frame.blob;
  const positions = robot.poses.positions;
  for (const body of bodies) {
    const p = 3 * (body + 1);
    out[at++] = positions[p]!;
    out[at++] = positions[p + 1]!;
    out[at++] = positions[p + 2]!;
    out[at++] = RADIUS;
  }
}

/** A sole lower than this is taken to stand on the floor, m. */
const CONTACT_HEIGHT = 0.02;

/** Adds an arrow on the floor below each foot whose sole touches it. Kinematics know no force: the arrows have no length.
 *  The robot's pose must be computed. */
export function writeFootContacts(frame: FrameBuilder, robot: ShownRobot): void {
  const { feet, footSoleZ } = robot.wiring;
  const positions = robot.poses.positions;
  const touching = feet.filter((body) => positions[3 * (body + 1) + 2]! - footSoleZ < CONTACT_HEIGHT);
  let at = frame.overlay('contacts', 'arrows', touching.length);
  const out = frame.blob;
  for (const body of touching) {
    out[at++] = positions[3 * (body + 1)]!;
    out[at++] = positions[3 * (body + 1) + 1]!;
    out.fill(0, at, at + 4);
    at += 4;
  }
}
