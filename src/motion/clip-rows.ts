/** A clip ready to be computed with or shown on its robot. */
export interface ClipRows {
  /** frames a second */
  readonly fps: number;
  readonly frames: number;
  /** (frames, nq) row-major: root x y z m in the world, quaternion wxyz, joints in the robot's order, rad or m */
  readonly rows: Float64Array;
}
