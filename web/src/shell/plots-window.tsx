import { PlayTransport } from '../features/play/shared/play-transport.tsx';
import { ClipTransport } from '../features/plots/clip-transport.tsx';
import { PlotsView } from '../features/plots/plots-view.tsx';
import { plotsOf } from '../ui/plots-shown.ts';
import { ReconnectBanner } from './reconnect-banner.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { Toasts } from './toast-list.tsx';

/** Page of a browser window with only plots. Clip and playhead are shared with all viewers. */
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
