/** A robot's files by their path relative to its folder, '/'-separated. */
export type RobotFiles = ReadonlyMap<string, Uint8Array>;

export interface ListedFile {
  readonly path: string;
  readonly bytes: number;
}

export interface RankedFile extends ListedFile {
  readonly kind: 'mjcf' | 'urdf' | 'mesh' | 'texture' | 'other';
  /** the likeliest main model: true for one file at most */
  readonly main: boolean;
}

/** Names of files that may be a model. */
export const MODEL_FILES = /\.(xml|urdf|mjcf|xacro)$/i;
