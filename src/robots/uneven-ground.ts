import path from 'node:path';

/** The height field under a robot in `terrain.mjb`: a square around the origin that replaces the plane. */
export const GROUND = {
  /** number of nodes along a side */
  nodes: 161,
  /** distance from the centre to a side, m */
  half: 8,
  /** height that the value 1 of the height data represents, m */
  height: 4,
  /** thickness below height 0, m */
  base: 1,
} as const;

/** Distance between neighbouring nodes, m. */
export const GROUND_CELL = (2 * GROUND.half) / (GROUND.nodes - 1);

export const PHYSICS_FILES = { flat: 'physics.mjb', uneven: 'terrain.mjb' } as const;

/** Returns the path of the compiled model for the ground of a task.
 *  @param physicsPath path of the model on a plane; the one for uneven ground is in the same folder
 *  @param ground `scene.terrain.type` of the task */
export function physicsOn(physicsPath: string, ground: string): string {
  return ground === 'plane' ? physicsPath : path.join(path.dirname(physicsPath), PHYSICS_FILES.uneven);
}
