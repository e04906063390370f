import { PageLayout } from './page-layout.ts';
import { remember, remembered } from './stored.ts';

const page = new PageLayout({ remember, remembered });

page.resize(window.innerWidth);
window.addEventListener('resize', () => page.resize(window.innerWidth));

const lightOs = window.matchMedia('(prefers-color-scheme: light)');
const followOs = () => page.followOs(lightOs.matches ? 'light' : 'dark');
followOs();
lightOs.addEventListener('change', followOs);

/** The layout of this page. */
export const {
  area,
  layout,
  theme,
  toggleTheme,
  panelWidth,
  setPanelWidth,
  resetPanelWidth,
  overlayPanel,
  inspectorOpen,
  panelOpen,
  showInspector,
  showPanel,
  paletteOpen,
  helpOpen,
  singleKeys,
  setSingleKeys,
  firstRunFolded,
  foldFirstRun,
  sheet,
  goTo,
} = page;
