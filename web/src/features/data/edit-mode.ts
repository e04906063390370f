import { signal } from '@preact/signals';

/** The clip that is being edited. */
export interface EditedClip {
  readonly dataset: string;
  readonly clip: string;
}

/** The clip whose editor is open; null: none. Apart from the editor itself, which is loaded when it is first opened. */
export const editedClip = signal<EditedClip | null>(null);
