import { useEffect } from 'preact/hooks';
import { Transport } from '../data/transport.tsx';
import { PlotsView } from './plots-view.tsx';

/** The page of a browser window that shows plots alone: the same clip and playhead as everyone who watches. */
export function PlotsWindow() {
  useEffect(() => {
    document.documentElement.classList.add('plots-page');
  }, []);
  return (
    <main class="plots-window" aria-label="Plots">
      <h1 class="visually-hidden">Plots</h1>
      <Transport />
      <PlotsView mode="window" />
    </main>
  );
}
