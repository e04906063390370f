import { badInput } from '../../core/errors.ts';
import type { OnnxModel } from './onnx-model.ts';

/** Metadata of an exported policy. Missing entries are null. Lists are in the joint order of the policy. */
export interface OnnxMetadata {
  readonly jointNames: readonly string[] | null;
  readonly stiffness: readonly number[] | null;
  readonly damping: readonly number[] | null;
  readonly defaultJointPos: readonly number[] | null;
  readonly actionScale: readonly number[] | null;
  readonly actionMode: string | null;
  readonly observationNames: readonly string[] | null;
  /** number of values in the history of each observation, including the newest one */
  readonly historyLengths: readonly number[] | null;
  readonly anchorBodyName: string | null;
  readonly bodyNames: readonly string[] | null;
}

/** Reads the metadata that whole_body_tracking, mjlab and wbc-mjlab write into exported policies. Lists are
 *  comma-separated.
 *  @throws StudioError bad_input naming an entry that is not a list of numbers */
export function onnxMetadata({ metadata }: OnnxModel): OnnxMetadata {
  const text = (key: string) => metadata.get(key)?.trim() || null;
  const names = (key: string) =>
    text(key)
      ?.split(',')
      .map((name) => name.trim()) ?? null;
  const numbers = (key: string) => {
    const values = names(key)?.map((word) => (word === '' ? Number.NaN : Number(word))) ?? null;
    if (values?.some((value) => !Number.isFinite(value)))
      throw badInput(`metadata ${key}: must be numbers separated by commas`);
    return values;
  };
  return {
    jointNames: names('joint_names'),
    stiffness: numbers('joint_stiffness'),
    damping: numbers('joint_damping'),
    defaultJointPos: numbers('default_joint_pos'),
    actionScale: numbers('action_scale'),
    actionMode: text('action_mode'),
    observationNames: names('observation_names'),
    historyLengths: numbers('observation_history_lengths'),
    anchorBodyName: text('anchor_body_name'),
    bodyNames: names('body_names'),
  };
}
