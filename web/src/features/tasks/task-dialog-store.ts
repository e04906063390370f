import { signal } from '@preact/signals';
import type { Draft, DraftSource } from './task-drafts.ts';

/** A dialog of Tasks and what it is about. */
export type TaskDialog =
  | {
      readonly kind: 'new';
      readonly of: 'preset' | 'module';
      /** replaces the default title */
      readonly title?: string;
      readonly from: DraftSource | null;
    }
  | { readonly kind: 'delete'; readonly draft: Draft }
  | { readonly kind: 'add-term'; readonly container: string; readonly title: string };

/** The open dialog; null if none is open. */
export const taskDialog = signal<TaskDialog | null>(null);

/** Path of the term that was added last; its row scrolls into view and clears it. */
export const addedTerm = signal<string | null>(null);

/** Task that the form of a training shall select; the form clears it. */
export const taskToTrain = signal<string | null>(null);
