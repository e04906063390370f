import { computed, signal } from '@preact/signals';
import type { Area } from '../shell/address.ts';
import { remember, remembered } from './stored.ts';

export const area = signal<Area>('robots');

export type Layout = 'wide' | 'medium' | 'narrow' | 'phone';

/** wide ≥ 1280; medium: inspector overlays; narrow < 1024: the left panel overlays too; phone < 700. */
function layoutOf(width: number): Layout {
  if (width < 700) return 'phone';
  if (width < 1024) return 'narrow';
  return width < 1280 ? 'medium' : 'wide';
}

export const layout = signal<Layout>(layoutOf(window.innerWidth));
window.addEventListener('resize', () => {
  layout.value = layoutOf(window.innerWidth);
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
/** What a width of the left panel belongs to: an area, or Data while it shows plots. */
export type PanelKey = Area | 'plots';
const PANEL_DEFAULT: Readonly<Record<PanelKey, number>> = {
  robots: 360,
  data: 466,
  tasks: 260,
  train: 340,
  play: 320,
  status: 360,
  plots: 280,
};

function storedWidths(): Record<PanelKey, number> {
  const widths = { ...PANEL_DEFAULT };
  for (const name of Object.keys(widths) as PanelKey[]) {
    const width = Number(remembered(`panel.${name}`) ?? Number.NaN);
    if (width >= PANEL_MIN && width <= PANEL_MAX) widths[name] = width;
  }
  return widths;
}

export const panelWidths = signal<Readonly<Record<PanelKey, number>>>(storedWidths());

export function setPanelWidth(name: PanelKey, width: number): void {
  const clamped = Math.round(Math.min(PANEL_MAX, Math.max(PANEL_MIN, width)));
  panelWidths.value = { ...panelWidths.peek(), [name]: clamped };
  remember(`panel.${name}`, clamped === PANEL_DEFAULT[name] ? null : String(clamped));
}

export function resetPanelWidth(name: PanelKey): void {
  setPanelWidth(name, PANEL_DEFAULT[name]);
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
export function goTo(next: Area): void {
  foldFirstRun();
  area.value = next;
  if (layout.peek() === 'narrow') overlayPanel.value = true;
  if (layout.peek() === 'phone' && sheet.peek() === 'peek') sheet.value = 'half';
}
