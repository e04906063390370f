import type { EditStep } from '../../../../../src/protocol/schemas/edit.ts';
import { sentence } from '../../../ui/format.ts';
import { fieldsOf } from './step-kinds.ts';

/** Why the service cannot apply the steps of an edit. */
export interface StepProblem {
  /** index of the step; null if the problem is not one of a single step */
  readonly step: number | null;
  readonly text: string;
}

/** Finds the step that a message of the service names: `steps[1].smooth.cutoff_hz: 400 Hz is too high` is a problem of
 *  step 1 with the text `Cutoff: 400 Hz is too high`. */
export function stepProblem(message: string, steps: readonly EditStep[]): StepProblem {
  const [, index, field, text] = /^steps\[(\d+)\](?:\.[a-z_]+)?(?:\.([a-z_]+))?: (.*)$/s.exec(message) ?? [];
  const step = steps[Number(index)];
  if (text === undefined || step === undefined) return { step: null, text: sentence(message.replace(/^steps: /, '')) };
  const label = field === undefined ? undefined : fieldsOf(step).find(({ key }) => key === field)?.label;
  return { step: Number(index), text: label === undefined ? sentence(text) : `${label}: ${text}` };
}
