import { plotsOf } from '../../ui/plots-shown.ts';
import { playhead, seek, watchPlayhead } from '../data/preview-store.ts';
import { holdAt, recordRow, watchRow } from '../play/record-store.ts';

/** Row of the plotted data that is looked at: the clip's playhead, or the row of the environment's record. */
export function cursorFrame(): number {
  return plotsOf.peek() === 'play' ? recordRow.peek() : playhead.frame;
}

/** Told when the cursor moved, at most once a displayed picture. @returns ends it */
export function watchCursor(watcher: () => void): () => void {
  const ends = [watchPlayhead(watcher), watchRow(watcher)];
  return () => {
    for (const end of ends) end();
  };
}

/** Looks at a row: the scene of a clip follows, the record of an environment stands still there. */
export function seekCursor(frame: number): void {
  if (plotsOf.peek() === 'play') holdAt(frame);
  else seek(frame);
}
