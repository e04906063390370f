import { signal } from '@preact/signals';
import type { Draft } from './drafts-store.ts';

/** A dialog of Tasks with what it is about. */
export type TaskDialog =
  | {
      readonly kind: 'new';
      readonly of: 'preset' | 'module';
      /** in place of what its kind would say */
      readonly title?: string;
      readonly from: Pick<Draft, 'base' | 'modules' | 'edits' | 'description'> | null;
    }
  | { readonly kind: 'delete'; readonly draft: Draft }
  | { readonly kind: 'add-term'; readonly container: string; readonly title: string };

export const taskDialog = signal<TaskDialog | null>(null);
