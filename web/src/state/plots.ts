import { computed } from '@preact/signals';
import type { QaIssue } from '../logic/data/qa.ts';
import { showIssue } from '../service/preview.ts';
import { dockView } from './dock.ts';
import { area, goTo } from './ui.ts';

/** This page is the Plots window alone, opened beside the studio. */
export const plotsWindow = new URLSearchParams(location.search).get('view') === 'plots';

/** Whether this page shows plots. */
export const plotsShown = computed(() => plotsWindow || (area.value === 'data' && dockView.value === 'plots'));

/** Shows the plots of the open clip in the dock, or hides them. */
export function togglePlots(): void {
  if (plotsWindow) return;
  const hide = plotsShown.peek();
  goTo('data');
  dockView.value = hide ? 'timeline' : 'plots';
}

/** Goes to the frame of a QA issue and plots the channels that show it. */
export function showIssuePlot(issue: QaIssue): void {
  if (!plotsWindow) {
    goTo('data');
    dockView.value = 'plots';
  }
  void showIssue({ ...issue }); // anew: its channels are shown again where they had been put aside
}

/** Opens the plots in a browser window of their own: its playhead is the service's, as here. */
export function openPlotsWindow(): void {
  window.open('?view=plots', 'motion-studio-plots', 'popup,width=1200,height=760');
}
