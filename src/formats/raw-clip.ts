/** A motion clip exactly as stored in its file: not resampled, renamed or normalised. */
export interface RawClip {
  /** (frames, columns) row-major: `x y z` m in the world, z up, `qx qy qz qw` (xyzw, as in source files), then one
   *  column per joint, rad or m. */
  readonly rows: Float64Array;
  readonly frames: number;
  /** 7 + number of joints */
  readonly columns: number;
  /** frames per second; null if the file does not state it */
  readonly fps: number | null;
  /** names of the joint columns; null if the file does not state them */
  readonly jointNames: readonly string[] | null;
}

/** Number of columns before the joints: root position and orientation. */
export const ROOT_COLUMNS = 7;
/** Minimum number of columns: a clip has at least one joint. */
export const MIN_COLUMNS = ROOT_COLUMNS + 1;
