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
  /** columns at the end of each row in the file that were judged not to be joints, and left out; absent: none */
  readonly leftOut?: LeftOutColumns;
}

/** Columns of a file that do not belong to the robot. */
export interface LeftOutColumns {
  readonly columns: number;
  /** what the columns probably are: `the pose of an object` */
  readonly as: string;
}

/** Number of columns before the joints: root position and orientation. */
export const ROOT_COLUMNS = 7;
/** Minimum number of columns: a clip has at least one joint. */
export const MIN_COLUMNS = ROOT_COLUMNS + 1;
