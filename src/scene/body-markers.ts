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
