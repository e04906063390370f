import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/shell.css';
import './styles/overlays.css';
import './styles/viewport.css';
import { effect } from '@preact/signals';
import { render } from 'preact';
import { App } from './app.tsx';
import { liveFrames, type Stats } from './net/live-frames.ts';
import { Lazy } from './parts/lazy.tsx';
import { preview } from './service/preview.ts';
import { startStudio } from './service/studio.ts';
import { preloadWhenIdle } from './shell/later.tsx';
import { startAddress } from './state/address-sync.ts';
import { startKeys } from './state/commands.ts';
import { plotsWindow } from './state/plots.ts';
import { theme } from './state/ui.ts';

declare global {
  interface Window {
    /** For tests and curious people: how the stream is doing. Every figure is explained at `Stats`. */
    motionStudio: { readonly stats: Stats };
  }
}

/** This page shows training metrics alone: where the service leads whoever has no TensorBoard. */
const metricsWindow = /^#metrics\b/.test(location.hash);

window.motionStudio = { stats: liveFrames.stats };

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
});

effect(() => {
  const open = preview.value;
  const name = plotsWindow ? 'Plots · motion-studio' : metricsWindow ? 'Metrics · motion-studio' : 'motion-studio';
  document.title = open?.open === true && open.clip !== null ? `${open.clip} · ${name}` : name;
});

const loadPlotsWindow = () => import('./areas/plots/plots-window.tsx').then((part) => part.PlotsWindow);

const loadMetrics = () => import('./areas/train/metrics-page.tsx').then((part) => part.MetricsPage);

const root = document.querySelector('#app');
if (root === null) throw new Error('the page has no #app');
render(
  plotsWindow ? (
    <Lazy load={loadPlotsWindow} what="The plots" />
  ) : metricsWindow ? (
    <Lazy load={loadMetrics} what="The metrics" />
  ) : (
    <App />
  ),
  root,
);
startStudio();
if (!plotsWindow && !metricsWindow) {
  startAddress();
  preloadWhenIdle();
}
startKeys();
