import { ReconnectBanner } from '../../shell/reconnect-banner.tsx';
import { ShortcutsDialog } from '../../shell/shortcuts-dialog.tsx';
import { Toasts } from '../../shell/toast-list.tsx';
import { Transport } from '../data/dock/transport.tsx';
import { PlayTransport } from '../play/dock/play-transport.tsx';
import { PlotsView } from './plots-view.tsx';
import { plotsOf } from './plots-view-state.ts';

/** The page of a browser window that shows plots alone: the same clip and playhead as everyone who watches. */
export function PlotsWindow() {
  return (
    <main class="plots-page" aria-label="Plots">
      <h1 class="visually-hidden">Plots</h1>
      {plotsOf.value === 'play' ? <PlayTransport /> : <Transport />}
      <PlotsView mode="window" />
      <ReconnectBanner />
      <Toasts />
      <ShortcutsDialog />
    </main>
  );
}
