import type { Joint, RobotSpec, Wiring } from '../../protocol/schemas/robots.ts';
import type { PreparedModel } from '../../robots/prepare/prepared-model.ts';

/** Identity of the robot that is being imported. */
export interface RobotDraft {
  readonly id: string;
  readonly name?: string;
  /** path of the model in the robot's folder; becomes `spec.model` */
  readonly model: string;
}

/** Results of preparing the model, without the spec, which has already been compiled. */
export type ModelFindings = Omit<PreparedModel, 'spec'>;

export interface SuggestedGains {
  readonly stiffness: number;
  readonly damping: number;
  readonly armature: number;
  readonly effort_limit: number;
  /** sources of effort, armature and gains */
  readonly source: string;
}

/** Suggestions for a robot: the reply of `inspect`, ready to edit and save. */
export interface Inspection {
  readonly bodies: readonly { readonly name: string; readonly parent: string | null; readonly mass: number }[];
  readonly joints: readonly Joint[];
  readonly wiring: Wiring;
  readonly gains: Readonly<Record<string, SuggestedGains>>;
  readonly spec: RobotSpec;
  /** reasons for the suggested wiring, pose and contacts */
  readonly reasons: {
    readonly anchor: string;
    readonly keybodies: string;
    readonly feet: string;
    readonly pose: string;
    readonly contacts: string;
  };
  readonly warnings: readonly string[];
}
