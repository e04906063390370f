import type { CSSProperties } from 'preact';
import type { AreaSpec } from '../features/areas.ts';
import { dockShare, dockView } from '../ui/dock-state.ts';
import { panelWidth } from '../ui/layout.ts';
import type { Layout, SheetHeight } from '../ui/page-layout.ts';
import { plotsShown } from '../ui/plots-shown.ts';

/** Which parts are in the grid; parts that overlay the viewport are not. */
export interface Places {
  readonly panel: boolean;
  readonly inspector: boolean;
  readonly dock: boolean;
}

/** px: beside plots the panel is narrower, because plots need the space */
const WIDTH_BESIDE_PLOTS = 280;

/** Returns the key under which the panel's width is stored, and the initial width. */
export function panelSlot({ id, panelWidth: initial }: AreaSpec): { readonly slot: string; readonly initial: number } {
  return plotsShown.value ? { slot: 'plots', initial: WIDTH_BESIDE_PLOTS } : { slot: id, initial };
}

export function desktopGrid(spec: AreaSpec, { panel, inspector, dock }: Places): CSSProperties {
  const { slot, initial } = panelSlot(spec);
  const columns = [
    'var(--rail)',
    ...(panel ? [`${panelWidth(slot, initial)}px`] : []),
    'minmax(0, 1fr)',
    ...(inspector ? [spec.inspector?.width ?? 'var(--inspector)'] : []),
  ];
  const row = (middle: string, end: string) =>
    ['rail', ...(panel ? ['panel'] : []), middle, ...(inspector ? [end] : [])].join(' ');
  const top = columns.map(() => 'top').join(' ');
  if (spec.main?.scene === 'beside' && inspector) {
    // a small scene above the inspector
    return {
      gridTemplateColumns: columns.join(' '),
      gridTemplateRows: 'var(--topbar) 248px minmax(0, 1fr)',
      gridTemplateAreas: `"${top}" "${row('main', 'viewport')}" "${row('main', 'inspector')}"`,
    };
  }
  return {
    gridTemplateColumns: columns.join(' '),
    gridTemplateRows: `var(--topbar) minmax(0, 1fr)${dock ? ` ${dockHeight(spec)}` : ''}`,
    gridTemplateAreas: `"${top}" "${row('viewport', 'inspector')}"${dock ? ` "${row('dock', 'dock')}"` : ''}`,
  };
}

function dockHeight({ dock }: AreaSpec): string {
  if (dock?.kind === 'log') return 'var(--dock-log)';
  return dockView.value === 'timeline' ? 'var(--dock)' : `${(100 * dockShare.value).toFixed(2)}vh`;
}

const SHEET: Readonly<Record<SheetHeight, string>> = { peek: '64px', half: 'minmax(0, 1fr)', full: 'minmax(0, 1fr)' };
const SCENE: Readonly<Record<SheetHeight, string>> = { peek: 'minmax(0, 1fr)', half: '50dvh', full: '0' };

/** Returns the rows of the phone layout: header 52 px, scene, transport 56 px, sheet, rail 60 px.
 *  @param whole whether the area fills the space of scene, transport and sheet */
export function phoneGrid(height: SheetHeight, whole: boolean): CSSProperties {
  return {
    gridTemplateColumns: 'minmax(0, 1fr)',
    gridTemplateRows: whole ? '52px 0 0 minmax(0, 1fr) 60px' : `52px ${SCENE[height]} 56px ${SHEET[height]} 60px`,
    gridTemplateAreas: '"top" "viewport" "transport" "sheet" "rail"',
  };
}

/** Returns the grid of the wizard: head and foot span the window, the tables are beside the scene. */
export function wizardGrid(size: Layout): CSSProperties {
  const table = size === 'narrow' ? 'minmax(0, 3fr) minmax(200px, 2fr)' : 'minmax(0, 640px) minmax(320px, 1fr)';
  return {
    gridTemplateColumns: `var(--rail) ${table}`,
    gridTemplateRows: 'var(--topbar) 56px minmax(0, 1fr) 56px',
    gridTemplateAreas: '"top top top" "rail head head" "rail panel viewport" "rail foot foot"',
  };
}
