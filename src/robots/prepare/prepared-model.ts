import type { MjSpec } from '../../sim/mujoco.ts';

export type ModelFormat = 'mjcf' | 'urdf';

/** A joint that follows another one: q = multiplier · q_of + offset. Held by an equality constraint, never actuated. */
export interface Mimic {
  readonly joint: string;
  readonly multiplier: number;
  readonly offset: number;
}

/** What an actuator of the model said about its joint, before it was taken out. */
export interface ModelActuator {
  readonly name: string;
  /** Nm/rad and Nm·s/rad of a position servo; null for anything else, such as a motor */
  readonly stiffness: number | null;
  readonly damping: number | null;
  /** Nm or N at the joint (gear included), null where it is not limited */
  readonly effort: number | null;
}

/** A pose that the model names, of a keyframe. */
export interface ModelPose {
  readonly name: string;
  /** m, of the root body above the floor; null where the model had no free base */
  readonly rootHeight: number | null;
  /** rad or m by joint name */
  readonly joints: ReadonlyMap<string, number>;
}

/** A model made fit for the service: one root body with a free joint, no scene around it, no actuators, keyframes,
 *  sensors, options or sizes of its own; every mesh readable. Not compiled yet. */
export interface PreparedModel {
  /** owned by the caller, who adds actuators, options and a floor and compiles it (`compileSpec`) */
  readonly spec: MjSpec;
  readonly format: ModelFormat;
  /** what was changed or left out, one sentence each, naming what it is about */
  readonly warnings: readonly string[];
  /** name of the body with the free joint */
  readonly root: string;
  /** rad/s or m/s by joint, from a URDF (MJCF has none) */
  readonly velocityLimits: ReadonlyMap<string, number>;
  /** Nm or N by joint, with where the figure comes from: `URDF effort`, `joint actuatorfrcrange` */
  readonly effortLimits: ReadonlyMap<string, { readonly value: number; readonly source: string }>;
  /** the model's own actuators by joint */
  readonly actuators: ReadonlyMap<string, ModelActuator>;
  /** joints that follow others, by name: they must not get an actuator */
  readonly mimics: ReadonlyMap<string, Mimic>;
  /** the model's keyframes whose qpos fits, in their order */
  readonly poses: readonly ModelPose[];
}
