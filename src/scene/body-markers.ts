import { CONTACT_HEIGHT } from '../protocol/contact-height.ts';
import type { OverlayName } from '../protocol/frame.ts';
import type { FrameBuilder } from '../sim/frame-builder.ts';
import type { ShownRobot } from './scene.ts';

/** Radius of a marker sphere, m. */
const RADIUS = 0.017;

/** Adds a sphere at the origin of each of `bodies`. Compute the robot's pose before. */
export function writeBodyMarkers(
  frame: FrameBuilder,
  robot: ShownRobot,
  name: OverlayName,
  bodies: readonly number[],
): void {
  putBodyMarkers(frame.blob, frame.overlay(name, 'spheres', bodies.length), robot, bodies);
}

/** Writes a sphere (x y z radius, m, world frame) for each of `bodies`, starting at `out[at]`. */
export function putBodyMarkers(out: Float32Array, at: number, robot: ShownRobot, bodies: readonly number[]): void {
  const positions = robot.poses.positions;
  for (const [k, body] of bodies.entries()) {
    const p = 3 * (body + 1);
    out[at + 4 * k] = positions[p]!;
    out[at + 4 * k + 1] = positions[p + 1]!;
    out[at + 4 * k + 2] = positions[p + 2]!;
    out[at + 4 * k + 3] = RADIUS;
  }
}

/** Floats per arrow: start (3), vector (3). */
const ARROW = 6;

/** Adds an arrow at each foot whose sole touches the floor. A preview computes no forces, so the arrows have length 0.
 *  Compute the robot's pose first. */
export function writeFootContacts(frame: FrameBuilder, robot: ShownRobot): void {
  const arrows: number[] = [];
  addFootContacts(arrows, robot);
  frame.blob.set(arrows, frame.overlay('contacts', 'arrows', arrows.length / ARROW));
}

/** Appends the arrows of `writeFootContacts` as numbers (x y z dx dy dz, m, world frame). */
export function addFootContacts(arrows: number[], robot: ShownRobot): void {
  const { feet, footSoleZ } = robot.wiring;
  const positions = robot.poses.positions;
  for (const body of feet) {
    const p = 3 * (body + 1);
    if (positions[p + 2]! - footSoleZ < CONTACT_HEIGHT) arrows.push(positions[p]!, positions[p + 1]!, 0, 0, 0, 0);
  }
}
