/** A clip as rows of its robot's qpos, for computation and display. */
export interface ClipRows {
  /** frames per second */
  readonly fps: number;
  readonly frames: number;
  /** (frames, nq) row-major: root x y z m in the world, quaternion wxyz, joints in the robot's order, rad or m */
  readonly rows: Float64Array;
}
