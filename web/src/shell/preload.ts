import { AREAS } from '../features/areas.ts';
import { preload } from '../ui/lazy.tsx';
import { loadPalette } from './late-dialogs.tsx';

/** Loads the parts that the user is likely to open first, once the page is idle. */
export function preloadWhenIdle(): void {
  const soon = window.requestIdleCallback ?? ((run: () => void) => window.setTimeout(run, 1500));
  soon(() => {
    const parts = AREAS.filter((spec) => spec.preload).flatMap(({ panel, inspector, dock }) => [
      panel,
      inspector?.load,
      ...(dock === undefined ? [] : dock.kind === 'log' ? [dock.load] : [dock.transport, dock.timeline]),
    ]);
    // ignore failures: opening the part loads it again and reports the error
    for (const load of [...parts, loadPalette]) if (load !== undefined) preload(load).catch(() => {});
  });
}
