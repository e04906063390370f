import { signal } from '@preact/signals';

/** A clip that is being edited. */
export interface EditedClip {
  readonly dataset: string;
  readonly clip: string;
}

/** The clip whose editor is open; null if none. This state is in a separate file because the editor's code is loaded
 *  only when the editor is first opened. */
export const editedClip = signal<EditedClip | null>(null);
