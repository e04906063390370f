import type { OnnxGraph } from '../../policy/onnx/graph/onnx-graph.ts';
import type { ExportFormat } from '../../protocol/schemas/exports.ts';
import type { Reading } from '../readings.ts';

/** The content of a bundle as a robot's controller reads it, using only the files of the bundle. */
export interface Bundle {
  readonly format: ExportFormat;
  /** joints in the order of the policy; each name is also the name of a motor of the robot */
  readonly joints: readonly string[];
  /** values in the order of `joints`: Nm/rad, Nm·s/rad, rad, rad per unit of action */
  readonly stiffness: readonly number[];
  readonly damping: readonly number[];
  readonly defaultPos: readonly number[];
  readonly scale: readonly number[];
  /** pose to which scaled actions are added, rad, in the order of `joints`; null: the reference pose */
  readonly offset: readonly number[] | null;
  readonly stepS: number;
  /** name of the body that is the anchor; null if the layout does not state it */
  readonly anchor: string | null;
  readonly observations: readonly BundleObservation[];
  readonly graph: OnnxGraph;
  readonly clip: BundleClip;
}

export interface BundleObservation {
  readonly name: string;
  readonly reading: Reading;
  /** number of values kept in the history, oldest first */
  readonly history: number;
  /** limits of the values, then their factors; null: none */
  readonly limits: readonly [number, number] | null;
  readonly scale: readonly number[] | null;
}

/** The clip in a bundle. */
export interface BundleClip {
  readonly name: string | null;
  readonly frames: number;
  /** Returns a frame of the clip. An index after the end returns the last frame. */
  at(frame: number): ClipFrame;
}

/** One frame of a clip in the world frame. Joints are in the order of the policy; quaternions are wxyz. */
export interface ClipFrame {
  readonly jointPos: ArrayLike<number>;
  readonly jointVel: ArrayLike<number>;
  /** poses of the bodies by name */
  readonly bodyPos: ReadonlyMap<string, ArrayLike<number>>;
  readonly bodyQuat: ReadonlyMap<string, ArrayLike<number>>;
  /** pose of the anchor, determined in the same way as by the controller of the layout */
  readonly anchor: AnchorFrame;
}

/** Position, m; orientation, wxyz; velocities in the world frame, m/s and rad/s. */
export interface AnchorFrame {
  readonly pos: ArrayLike<number>;
  readonly quat: ArrayLike<number>;
  readonly linVel: ArrayLike<number>;
  readonly angVel: ArrayLike<number>;
}
