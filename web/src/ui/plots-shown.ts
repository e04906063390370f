import { computed, signal } from '@preact/signals';
import { dockView } from './dock-state.ts';
import { area, goTo } from './layout.ts';

/** Whether this page is the separate Plots window. */
export const plotsWindow = new URLSearchParams(location.search).get('view') === 'plots';

/** Areas that can show plots in their dock. */
const PLOTTED: ReadonlySet<string> = new Set(['data', 'play']);

/** Whether this page shows plots. */
export const plotsShown = computed(() => plotsWindow || (PLOTTED.has(area.value) && dockView.value === 'plots'));

/** What the Plots window shows: the play session with `&of=play`, else the clip. */
const windowOf = signal<'clip' | 'play'>(new URLSearchParams(location.search).get('of') === 'play' ? 'play' : 'clip');

/** Whether plots show the clip open in Data or an environment of the play session. */
export const plotsOf = computed<'clip' | 'play'>(() =>
  plotsWindow ? windowOf.value : area.value === 'play' ? 'play' : 'clip',
);

export function showPlotsOf(next: 'clip' | 'play'): void {
  windowOf.value = next;
}

/** Shows the plots of the open clip or the focused environment in the dock, or hides them. */
export function togglePlots(): void {
  if (plotsWindow) return;
  const hide = plotsShown.peek();
  if (!PLOTTED.has(area.peek())) goTo('data');
  dockView.value = hide ? 'timeline' : 'plots';
}

/** Opens the plots in a separate browser window. Both windows share the playhead of the service. */
export function openPlotsWindow(): void {
  window.open(
    plotsOf.peek() === 'play' ? '?view=plots&of=play' : '?view=plots',
    'motion-studio-plots',
    'popup,width=1200,height=760',
  );
}
