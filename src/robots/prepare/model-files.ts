/** A robot's files by their path relative to its folder, '/'-separated. */
export type RobotFiles = ReadonlyMap<string, Uint8Array>;

/** Names of files that may be a model. */
export const MODEL_FILES = /\.(xml|urdf|mjcf|xacro)$/i;
