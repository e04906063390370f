import type { Joint, RobotSpec, Wiring } from '../../protocol/schemas/robots.ts';
import type { PreparedModel } from '../../robots/prepare/prepared-model.ts';

/** The robot to be. */
export interface RobotDraft {
  readonly id: string;
  readonly name?: string;
  /** becomes `spec.model`: path of the model in the robot's folder */
  readonly model: string;
}

/** What preparing the model found out; the spec itself is compiled by then. */
export type ModelFindings = Omit<PreparedModel, 'spec'>;

export interface SuggestedGains {
  readonly stiffness: number;
  readonly damping: number;
  readonly armature: number;
  readonly effort_limit: number;
  /** where effort, armature and gains come from */
  readonly source: string;
}

/** Suggestions for a robot: the answer of `inspect`, ready to be edited and saved. */
export interface Inspection {
  readonly bodies: readonly { readonly name: string; readonly parent: string | null; readonly mass: number }[];
  readonly joints: readonly Joint[];
  readonly wiring: Wiring;
  readonly gains: Readonly<Record<string, SuggestedGains>>;
  readonly spec: RobotSpec;
  /** why the wiring and the pose are suggested as they are */
  readonly reasons: {
    readonly anchor: string;
    readonly keybodies: string;
    readonly feet: string;
    readonly pose: string;
    readonly contacts: string;
  };
  readonly warnings: readonly string[];
}
