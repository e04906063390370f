import { computed, signal } from '@preact/signals';
import { remember, remembered } from './stored.ts';

/** What the dock of Data shows below its transport. */
export type DockView = 'timeline' | 'plots' | 'job';
export const dockView = signal<DockView>('timeline');

/** Shares of the page's height that a grown dock may take. */
export const DOCK_MIN = 0.2;
export const DOCK_MAX = 0.6;
const DOCK_DEFAULT = 0.5;

function storedShare(): number {
  const share = Number(remembered('dock') ?? Number.NaN);
  return share >= DOCK_MIN && share <= DOCK_MAX ? share : DOCK_DEFAULT;
}

const share = signal(storedShare());
/** Share of the page's height, 0..1. */
export const dockShare = computed(() => share.value);

export function setDockShare(next: number): void {
  share.value = Math.min(DOCK_MAX, Math.max(DOCK_MIN, next));
  remember('dock', String(Number(share.value.toFixed(3))));
}

export function resetDockShare(): void {
  share.value = DOCK_DEFAULT;
  remember('dock', null);
}
