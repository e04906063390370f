import { signal } from '@preact/signals';

/** What the dialog of exports shows when it opens. */
export interface ExportRequest {
  /** path of the run whose exports are listed */
  readonly run: string;
  /** checkpoint that is preselected in the form; absent: the latest */
  readonly checkpoint?: string;
}

/** The request that opened the dialog of exports; null if the dialog is closed. */
export const exportDialog = signal<ExportRequest | null>(null);
