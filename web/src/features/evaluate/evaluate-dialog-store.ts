import { signal } from '@preact/signals';

/** What the dialog of evaluations shows first. */
export interface EvaluateRequest {
  /** path of the run whose evaluations are listed */
  readonly run: string;
  /** checkpoint that the form proposes; absent: the latest */
  readonly checkpoint?: string;
}

/** The open dialog of evaluations; null if it is closed. */
export const evaluateDialog = signal<EvaluateRequest | null>(null);
