import path from 'node:path';

/** The piece of ground under a robot in `terrain.mjb`, in place of the plane: a square of heights about the origin. */
export const GROUND = {
  /** heights along a side */
  nodes: 161,
  /** m from the middle to a side */
  half: 8,
  /** m that the number 1 stands for */
  height: 4,
  /** m of earth below 0 */
  base: 1,
} as const;

/** m between neighbouring heights. */
export const GROUND_CELL = (2 * GROUND.half) / (GROUND.nodes - 1);

export const PHYSICS_FILES = { flat: 'physics.mjb', uneven: 'terrain.mjb' } as const;

/** The compiled model of a robot for the ground of a task.
 *  @param physicsPath the one on a plane; that for uneven ground lies beside it
 *  @param ground `scene.terrain.type` of the task */
export function physicsOn(physicsPath: string, ground: string): string {
  return ground === 'plane' ? physicsPath : path.join(path.dirname(physicsPath), PHYSICS_FILES.uneven);
}
