import { computed, signal } from '@preact/signals';
import { remember, remembered } from './stored.ts';

/** Id of the area that is shown: a row of `features/areas.ts`. */
export const area = signal<string>('robots');

export type Layout = 'wide' | 'medium' | 'narrow' | 'phone';

/** wide ≥ 1280; medium: inspector overlays; narrow < 1024: the left panel overlays too; phone < 700. */
function layoutOf(width: number): Layout {
  if (width < 700) return 'phone';
  if (width < 1024) return 'narrow';
  return width < 1280 ? 'medium' : 'wide';
}

export const layout = signal<Layout>(layoutOf(window.innerWidth));
window.addEventListener('resize', () => {
  const next = layoutOf(window.innerWidth);
  if (next === layout.peek()) return;
  layout.value = next;
  // Leaving a layout closes what lay over its viewport.
  overlayInspector.value = false;
  overlayPanel.value = false;
});

export type Theme = 'dark' | 'light';
const lightOs = window.matchMedia('(prefers-color-scheme: light)');
const osTheme = signal<Theme>(lightOs.matches ? 'light' : 'dark');
lightOs.addEventListener('change', () => {
  osTheme.value = lightOs.matches ? 'light' : 'dark';
});
const chosenTheme = signal<Theme | null>(
  remembered('theme') === 'light' ? 'light' : remembered('theme') === 'dark' ? 'dark' : null,
);

/** The choice made here, else what the operating system asks for. */
export const theme = computed<Theme>(() => chosenTheme.value ?? osTheme.value);

export function toggleTheme(): void {
  const next = theme.peek() === 'dark' ? 'light' : 'dark';
  chosenTheme.value = next === osTheme.peek() ? null : next;
  remember('theme', chosenTheme.value);
}

export const PANEL_MIN = 240;
export const PANEL_MAX = 560;
/** Widths in px that a person dragged, by area or, while plots are shown, by `plots`. */
const panelWidths = signal<Readonly<Record<string, number>>>({});

/** Width of the left panel in px: what a person dragged, here or in an earlier visit, else `initial`. */
export function panelWidth(key: string, initial: number): number {
  const width = panelWidths.value[key] ?? Number(remembered(`panel.${key}`) ?? Number.NaN);
  return width >= PANEL_MIN && width <= PANEL_MAX ? width : initial;
}

export function setPanelWidth(key: string, width: number): void {
  const clamped = Math.round(Math.min(PANEL_MAX, Math.max(PANEL_MIN, width)));
  panelWidths.value = { ...panelWidths.peek(), [key]: clamped };
  remember(`panel.${key}`, String(clamped));
}

export function resetPanelWidth(key: string): void {
  const { [key]: _, ...others } = panelWidths.peek();
  remember(`panel.${key}`, null);
  panelWidths.value = others;
}

/** Panels as the person left them; below 1280 (1024) they lie over the viewport and start closed. */
const inspectorWanted = signal<boolean | null>(remembered('inspector') === 'closed' ? false : null);
const panelWanted = signal<boolean>(true);
export const overlayInspector = signal(false);
export const overlayPanel = signal(false);
export const inspectorOpen = computed(() =>
  layout.value === 'wide' ? (inspectorWanted.value ?? true) : overlayInspector.value,
);
export const panelOpen = computed(() => (layout.value === 'narrow' ? overlayPanel.value : panelWanted.value));

export function showInspector(open: boolean): void {
  if (layout.peek() === 'wide') {
    inspectorWanted.value = open;
    remember('inspector', open ? null : 'closed');
  } else overlayInspector.value = open;
}

export function showPanel(open: boolean): void {
  if (layout.peek() === 'narrow') overlayPanel.value = open;
  else panelWanted.value = open;
}

export const paletteOpen = signal(false);
export const helpOpen = signal(false);
export const singleKeys = signal(remembered('single-keys') !== 'off');

export function setSingleKeys(on: boolean): void {
  singleKeys.value = on;
  remember('single-keys', on ? null : 'off');
}

/** The first-run card folds once a clip was watched or the card closed. */
export const firstRunFolded = signal(remembered('first-run') === 'folded');

export function foldFirstRun(): void {
  if (firstRunFolded.peek()) return;
  firstRunFolded.value = true;
  remember('first-run', 'folded');
}

/** Sheet of the phone layout. */
export type SheetHeight = 'peek' | 'half' | 'full';
export const sheet = signal<SheetHeight>('half');

/** Goes to an area: what lies over the viewport shows it at once. */
export function goTo(next: string): void {
  foldFirstRun();
  area.value = next;
  if (layout.peek() === 'narrow') overlayPanel.value = true;
  if (layout.peek() === 'phone' && sheet.peek() === 'peek') sheet.value = 'half';
}
