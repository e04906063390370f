import { plotsOf } from '../../ui/plots-shown.ts';
import { playhead, seek, watchPlayhead } from '../data/preview-store.ts';
import { holdAt, recordRow, watchRow } from '../play/record-store.ts';

/** Returns the row at the cursor: the clip's playhead, or the selected row of the environment's record. */
export function cursorFrame(): number {
  return plotsOf.peek() === 'play' ? recordRow.peek() : playhead.frame;
}

/** Calls `watcher` when the cursor has moved, at most once per picture. @returns stops the calls */
export function watchCursor(watcher: () => void): () => void {
  const ends = [watchPlayhead(watcher), watchRow(watcher)];
  return () => {
    for (const end of ends) end();
  };
}

/** Moves the cursor to a row. The scene of a clip follows; the record of an environment is held at the row. */
export function seekCursor(frame: number): void {
  if (plotsOf.peek() === 'play') holdAt(frame);
  else seek(frame);
}
