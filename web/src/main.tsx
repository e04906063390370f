import './ui/fonts.css';
import './ui/tokens.css';
import './ui/base.css';
import './ui/controls.css';
import './shell/shell.css';
import './ui/overlays.css';
import './viewport/viewport.css';
import { effect } from '@preact/signals';
import { render } from 'preact';
import { preview } from './features/data/preview-store.ts';
import { liveFrames, type Stats } from './net/live-frames.ts';
import { startAddress } from './shell/address-sync.ts';
import { App } from './shell/app.tsx';
import { startKeys } from './shell/commands.ts';
import { startStudio } from './shell/live.ts';
import { preloadWhenIdle } from './shell/preload.ts';
import { theme } from './ui/layout.ts';
import { Lazy } from './ui/lazy.tsx';
import { unseenEnds } from './ui/notices.ts';
import { plotsWindow } from './ui/plots-shown.ts';

declare global {
  interface Window {
    /** Statistics of the stream, for tests and debugging. `Stats` explains every value. */
    motionStudio: { readonly stats: Stats };
  }
}

window.motionStudio = { stats: liveFrames.stats };

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
});

effect(() => {
  const open = preview.value;
  const name = plotsWindow ? 'Plots · motion-studio' : 'motion-studio';
  const ended = unseenEnds.value === 0 ? '' : `(${unseenEnds.value}) `;
  document.title = ended + (open?.open === true && open.clip !== null ? `${open.clip} · ${name}` : name);
});

const loadPlotsWindow = () => import('./shell/plots-window.tsx').then((part) => part.PlotsWindow);

const root = document.querySelector('#app');
if (root === null) throw new Error('the page has no #app');
render(plotsWindow ? <Lazy load={loadPlotsWindow} what="The plots" /> : <App />, root);
startStudio();
if (!plotsWindow) {
  startAddress();
  preloadWhenIdle();
}
startKeys();
