/** A robot's files by their path relative to its folder, '/'-separated. */
export type RobotFiles = ReadonlyMap<string, Uint8Array>;

/** File names that may be those of a model. */
export const MODEL_FILES = /\.(xml|urdf|mjcf|xacro)$/i;
