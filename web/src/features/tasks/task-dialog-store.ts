import { signal } from '@preact/signals';
import type { Draft, DraftSource } from './task-drafts.ts';

/** A dialog of Tasks with its subject. */
export type TaskDialog =
  | {
      readonly kind: 'new';
      readonly of: 'preset' | 'module';
      /** replaces the usual title */
      readonly title?: string;
      readonly from: DraftSource | null;
    }
  | { readonly kind: 'delete'; readonly draft: Draft }
  | { readonly kind: 'add-term'; readonly container: string; readonly title: string };

/** The open dialog; null for none. */
export const taskDialog = signal<TaskDialog | null>(null);

/** Task that the form of a training should take next; the form clears it. */
export const taskToTrain = signal<string | null>(null);
