import { effect, signal } from '@preact/signals';
import { loadingClip, preview } from './preview-store.ts';

/** The clip that was chosen in the table and cannot be read; null if none. The inspector shows it instead of the open
 *  clip. */
export const unreadable = signal<{ readonly dataset: string; readonly clip: string } | null>(null);

let shown: string | null = null;
effect(() => {
  // Another clip is loaded or was opened, so it is shown instead.
  const open = preview.value;
  const now = open?.open === true ? JSON.stringify([open.dataset, open.clip, open.grid?.clips]) : null;
  if (loadingClip.value !== null || now !== shown) unreadable.value = null;
  shown = now;
});
