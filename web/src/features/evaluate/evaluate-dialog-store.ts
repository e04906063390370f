import { signal } from '@preact/signals';

/** What the dialog of evaluations shows when it opens. */
export interface EvaluateRequest {
  /** path of the run whose evaluations are listed */
  readonly run: string;
  /** checkpoint that is preselected in the form; absent: the latest */
  readonly checkpoint?: string;
}

/** The request that opened the dialog of evaluations; null if the dialog is closed. */
export const evaluateDialog = signal<EvaluateRequest | null>(null);
