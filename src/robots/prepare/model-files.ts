/** A robot's files by their path relative to its folder, '/'-separated. `get` may read the file at each call, so that
 *  unused files need no memory. */
export interface RobotFiles {
  readonly size: number;
  has(path: string): boolean;
  /** Returns the content of a file; undefined for an unknown path. */
  get(path: string): Uint8Array | undefined;
  keys(): Iterable<string>;
}

/** Extensions of files that may contain a model. */
export const MODEL_FILES = /\.(xml|urdf|mjcf|xacro)$/i;
