import { signal } from '@preact/signals';
import type { Draft, DraftSource } from './task-drafts.ts';

/** A dialog of the area Tasks with the item that it is about. */
export type TaskDialog =
  | {
      readonly kind: 'new';
      readonly of: 'preset' | 'module';
      /** title that replaces the default title */
      readonly title?: string;
      readonly from: DraftSource | null;
    }
  | { readonly kind: 'delete'; readonly draft: Draft }
  | { readonly kind: 'add-term'; readonly container: string; readonly title: string };

/** The open dialog; null if no dialog is open. */
export const taskDialog = signal<TaskDialog | null>(null);

/** Path of the term that was added last; null after its row has been scrolled into view. */
export const addedTerm = signal<string | null>(null);

/** Name of the task that the form of a training is asked to select. The form sets it to null when it has done so. */
export const taskToTrain = signal<string | null>(null);
