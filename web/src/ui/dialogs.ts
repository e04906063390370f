import { signal } from '@preact/signals';

/** The open dialog of the Data area and its data. */
export type DataDialog =
  | { readonly kind: 'new' }
  | { readonly kind: 'import' }
  | { readonly kind: 'upload' }
  | { readonly kind: 'convert'; readonly dataset: string; readonly clips: readonly string[] | null }
  | { readonly kind: 'reading'; readonly dataset: string; readonly clip: string }
  | { readonly kind: 'pick'; readonly dataset: string }
  | { readonly kind: 'job'; readonly job: string }
  | { readonly kind: 'rename'; readonly dataset: string; readonly clip: string | null }
  | { readonly kind: 'delete-dataset'; readonly dataset: string }
  | { readonly kind: 'delete-clips'; readonly dataset: string; readonly clips: readonly string[] }
  | {
      readonly kind: 'mark';
      readonly dataset: string;
      readonly clips: readonly string[];
      /** present marks of a single clip; null for several clips */
      readonly now: { readonly exclude: boolean; readonly weight: number; readonly tags: readonly string[] } | null;
    };

export const dataDialog = signal<DataDialog | null>(null);
