import { PlayTransport } from '../features/play/shared/play-transport.tsx';
import { ClipTransport } from '../features/plots/clip-transport.tsx';
import { PlotsView } from '../features/plots/plots-view.tsx';
import { plotsOf } from '../ui/plots-shown.ts';
import { ReconnectBanner } from './reconnect-banner.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { Toasts } from './toast-list.tsx';

/** The page of a browser window that shows plots alone: the same clip and playhead as everyone who watches. */
export function PlotsWindow() {
  return (
    <main class="plots-page" aria-label="Plots">
      <h1 class="visually-hidden">Plots</h1>
      {plotsOf.value === 'play' ? <PlayTransport /> : <ClipTransport />}
      <PlotsView mode="window" />
      <ReconnectBanner />
      <Toasts />
      <ShortcutsDialog />
    </main>
  );
}
