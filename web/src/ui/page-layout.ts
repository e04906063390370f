import { computed, signal } from '@preact/signals';
import type { remember, remembered } from './stored.ts';

export type Layout = 'wide' | 'medium' | 'narrow' | 'phone';

/** Returns the layout for a window width in px. wide ≥ 1280; medium: the inspector is an overlay; narrow < 1024: the
 *  left panel is an overlay too; phone < 700. */
function layoutOf(width: number): Layout {
  if (width < 700) return 'phone';
  if (width < 1024) return 'narrow';
  return width < 1280 ? 'medium' : 'wide';
}

export type Theme = 'dark' | 'light';

export const PANEL_MIN = 240;
export const PANEL_MAX = 560;

/** Height of the phone's sheet. */
export type SheetHeight = 'peek' | 'half' | 'full';

/** Dependencies of PageLayout. */
export interface PageLayoutDeps {
  readonly remember: typeof remember;
  readonly remembered: typeof remembered;
}

/** Area, window size, theme and panes of the page. */
export class PageLayout {
  readonly #deps: PageLayoutDeps;

  /** Id of the current area: a row of `features/areas.ts`. */
  readonly area = signal<string>('robots');

  readonly layout = signal<Layout>('wide');
  readonly #osTheme = signal<Theme>('dark');
  readonly #chosenTheme = signal<Theme | null>(null);

  /** The theme chosen by the user, else the theme of the operating system. */
  readonly theme = computed<Theme>(() => this.#chosenTheme.value ?? this.#osTheme.value);

  readonly toggleTheme = (): void => {
    const next = this.theme.peek() === 'dark' ? 'light' : 'dark';
    this.#chosenTheme.value = next === this.#osTheme.peek() ? null : next;
    this.#deps.remember('theme', this.#chosenTheme.value);
  };
  /** Panel widths set by the user, px, by area or, while plots are shown, by `plots`. */
  readonly #panelWidths = signal<Readonly<Record<string, number>>>({});

  /** Width of the left panel, px: set by the user now or in an earlier visit, else `initial`. */
  readonly panelWidth = (key: string, initial: number): number => {
    const width = this.#panelWidths.value[key] ?? Number(this.#deps.remembered(`panel.${key}`) ?? Number.NaN);
    return width >= PANEL_MIN && width <= PANEL_MAX ? width : initial;
  };

  readonly setPanelWidth = (key: string, width: number): void => {
    const clamped = Math.round(Math.min(PANEL_MAX, Math.max(PANEL_MIN, width)));
    this.#panelWidths.value = { ...this.#panelWidths.peek(), [key]: clamped };
    this.#deps.remember(`panel.${key}`, String(clamped));
  };

  readonly resetPanelWidth = (key: string): void => {
    const { [key]: _, ...others } = this.#panelWidths.peek();
    this.#deps.remember(`panel.${key}`, null);
    this.#panelWidths.value = others;
  };

  /** Whether the user keeps the panes open. Below 1280 px (inspector) or 1024 px (panel) they overlay the viewport and
   *  are closed at first. */
  readonly #inspectorWanted = signal(true);
  readonly #panelWanted = signal<boolean>(true);
  readonly overlayInspector = signal(false);
  readonly overlayPanel = signal(false);
  readonly inspectorOpen = computed(() =>
    this.layout.value === 'wide' ? this.#inspectorWanted.value : this.overlayInspector.value,
  );
  readonly panelOpen = computed(() =>
    this.layout.value === 'narrow' ? this.overlayPanel.value : this.#panelWanted.value,
  );

  readonly showInspector = (open: boolean): void => {
    if (this.layout.peek() === 'wide') {
      this.#inspectorWanted.value = open;
      this.#deps.remember('inspector', open ? null : 'closed');
    } else this.overlayInspector.value = open;
  };

  readonly showPanel = (open: boolean): void => {
    if (this.layout.peek() === 'narrow') this.overlayPanel.value = open;
    else this.#panelWanted.value = open;
  };

  readonly paletteOpen = signal(false);
  readonly helpOpen = signal(false);
  readonly singleKeys = signal(true);

  readonly setSingleKeys = (on: boolean): void => {
    this.singleKeys.value = on;
    this.#deps.remember('single-keys', on ? null : 'off');
  };

  /** Whether the first-run card stays closed, because the user watched a clip, closed the card or opened an area. */
  readonly firstRunFolded = signal(false);

  readonly foldFirstRun = (): void => {
    if (this.firstRunFolded.peek()) return;
    this.firstRunFolded.value = true;
    this.#deps.remember('first-run', 'folded');
  };
  readonly sheet = signal<SheetHeight>('half');

  /** Opens an area. Also opens the overlay panel of the narrow layout, or raises the sheet of the phone. */
  readonly goTo = (next: string): void => {
    this.foldFirstRun();
    this.area.value = next;
    if (this.layout.peek() === 'narrow') this.overlayPanel.value = true;
    if (this.layout.peek() === 'phone' && this.sheet.peek() === 'peek') this.sheet.value = 'half';
  };

  constructor(deps: PageLayoutDeps) {
    this.#deps = deps;
    const { remembered } = deps;
    const theme = remembered('theme');
    this.#chosenTheme.value = theme === 'light' || theme === 'dark' ? theme : null;
    this.#inspectorWanted.value = remembered('inspector') !== 'closed';
    this.singleKeys.value = remembered('single-keys') !== 'off';
    this.firstRunFolded.value = remembered('first-run') === 'folded';
  }

  /** Adapts to a new width of the window, px. A change of layout closes the overlay panes. */
  readonly resize = (width: number): void => {
    const next = layoutOf(width);
    if (next === this.layout.peek()) return;
    this.layout.value = next;
    this.overlayInspector.value = false;
    this.overlayPanel.value = false;
  };

  /** Adopts the theme of the operating system. */
  readonly followOs = (theme: Theme): void => {
    this.#osTheme.value = theme;
  };
}
