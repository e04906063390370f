import type { OnnxGraph } from '../../policy/onnx/graph/onnx-graph.ts';
import type { ExportFormat } from '../../protocol/schemas/exports.ts';
import type { Reading } from '../readings.ts';

/** A bundle as a robot's controller reads it, from its files alone. */
export interface Bundle {
  readonly format: ExportFormat;
  /** joints in the order of the policy; each is the robot's motor of this name */
  readonly joints: readonly string[];
  /** in the order of `joints`: Nm/rad, Nm·s/rad, rad, rad per unit of action */
  readonly stiffness: readonly number[];
  readonly damping: readonly number[];
  readonly defaultPos: readonly number[];
  readonly scale: readonly number[];
  /** added to the scaled action, rad, in the order of `joints`; null: the reference */
  readonly offset: readonly number[] | null;
  readonly stepS: number;
  /** body that the anchor's observations name; null: the layout does not say */
  readonly anchor: string | null;
  readonly observations: readonly BundleObservation[];
  readonly graph: OnnxGraph;
  readonly clip: BundleClip;
}

export interface BundleObservation {
  readonly name: string;
  readonly reading: Reading;
  /** values kept, oldest first */
  readonly history: number;
  /** limits, then factors of the values; null: none */
  readonly limits: readonly [number, number] | null;
  readonly scale: readonly number[] | null;
}

/** The clip in a bundle. */
export interface BundleClip {
  readonly name: string | null;
  readonly frames: number;
  /** Returns a frame; a frame beyond the end is the last one. */
  at(frame: number): ClipFrame;
}

/** One frame of a clip in the world. Joints are in the order of the policy; quaternions wxyz. */
export interface ClipFrame {
  readonly jointPos: ArrayLike<number>;
  readonly jointVel: ArrayLike<number>;
  /** poses of the bodies by name */
  readonly bodyPos: ReadonlyMap<string, ArrayLike<number>>;
  readonly bodyQuat: ReadonlyMap<string, ArrayLike<number>>;
  /** the anchor: how the controller of the layout finds it */
  readonly anchor: AnchorFrame;
}

/** Position m, orientation wxyz, velocities in the world, m/s and rad/s. */
export interface AnchorFrame {
  readonly pos: ArrayLike<number>;
  readonly quat: ArrayLike<number>;
  readonly linVel: ArrayLike<number>;
  readonly angVel: ArrayLike<number>;
}
