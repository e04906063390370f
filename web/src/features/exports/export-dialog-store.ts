import { signal } from '@preact/signals';

/** What the dialog of exports shows. */
export interface ExportRequest {
  /** path of the run whose exports are listed */
  readonly run: string;
  /** checkpoint that the form proposes; absent: the latest */
  readonly checkpoint?: string;
}

/** The open dialog of exports; null if it is closed. */
export const exportDialog = signal<ExportRequest | null>(null);
