/** A robot's files by their path relative to its folder, '/'-separated. The content may be read at each call of `get`, so
 *  that only the files in use take memory. */
export interface RobotFiles {
  readonly size: number;
  has(path: string): boolean;
  /** Returns the content of a file; undefined for an unknown path. */
  get(path: string): Uint8Array | undefined;
  keys(): Iterable<string>;
}

/** File names that may be those of a model. */
export const MODEL_FILES = /\.(xml|urdf|mjcf|xacro)$/i;
