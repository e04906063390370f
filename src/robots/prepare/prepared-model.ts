import type { SurfaceTexture } from '../../sim/geometry.ts';
import type { MjSpec } from '../../sim/mujoco.ts';

export type ModelFormat = 'mjcf' | 'urdf';

/** A joint that follows another joint: q = multiplier · q_of + offset. An equality constraint enforces this; the joint
 *  has no actuator. */
export interface Mimic {
  readonly joint: string;
  readonly multiplier: number;
  readonly offset: number;
}

/** Data of a removed actuator of the model. */
export interface ModelActuator {
  readonly name: string;
  /** gains of a position servo, Nm/rad and Nm·s/rad; null for other actuators, such as motors */
  readonly stiffness: number | null;
  readonly damping: number | null;
  /** maximum effort at the joint (multiplied by the gear), Nm or N; null if unlimited */
  readonly effort: number | null;
  /** `joint` if the gains were the spring and the damper of the joint */
  readonly gainsOf: 'actuator' | 'joint';
}

/** A pose of the model's keyframes. */
export interface ModelPose {
  readonly name: string;
  /** height of the root body above the floor, m; null if the model had no free base */
  readonly rootHeight: number | null;
  /** orientation of the root body, quaternion w, x, y, z; null if the model had no free base */
  readonly rootQuat: readonly number[] | null;
  /** rad or m by joint name */
  readonly joints: ReadonlyMap<string, number>;
}

/** A model prepared for the service: one root body with a free joint, and only readable meshes. Scene, actuators,
 *  keyframes, sensors, options and sizes of the model file are removed. The model is not compiled yet. */
export interface PreparedModel {
  /** owned by the caller, who adds actuators, options and a floor, and compiles it (`compileSpec`) */
  readonly spec: MjSpec;
  readonly format: ModelFormat;
  /** one sentence for each change and each ignored part, naming the element */
  readonly warnings: readonly string[];
  /** name of the body with the free joint */
  readonly root: string;
  /** velocity limits by joint from a URDF, rad/s or m/s (MJCF has none) */
  readonly velocityLimits: ReadonlyMap<string, number>;
  /** effort limits by joint, Nm or N, with the source of the value: `URDF effort`, `joint actuatorfrcrange` */
  readonly effortLimits: ReadonlyMap<string, { readonly value: number; readonly source: string }>;
  /** the model's own actuators by joint */
  readonly actuators: ReadonlyMap<string, ModelActuator>;
  /** joints that no actuator of the model moves, if its actuators move others; they must not get an actuator */
  readonly passive: ReadonlySet<string>;
  /** joints that follow others, by name; they must not get an actuator */
  readonly mimics: ReadonlyMap<string, Mimic>;
  /** keyframes whose qpos has the right length, in the order of the model */
  readonly poses: readonly ModelPose[];
  /** texture images by the name of their material; the spec itself has no textures */
  readonly textures: ReadonlyMap<string, SurfaceTexture>;
  /** name of the site at which the model has a velocimeter `imu_lin_vel`, as upstream's robots; null if it has none */
  readonly velocimeterSite: string | null;
}
