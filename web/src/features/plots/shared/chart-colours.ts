import { effect, signal } from '@preact/signals';
import { theme } from '../../../ui/layout.ts';

/** Colours and fonts of charts, read from the page's tokens because a canvas cannot use CSS custom properties. */
export interface ChartColours {
  readonly lines: readonly string[];
  readonly reference: string;
  readonly referenceDense: string;
  readonly grid: string;
  readonly tick: string;
  readonly text: string;
  readonly dim: string;
  readonly panel: string;
  readonly cursor: string;
  readonly limit: string;
  readonly limitBand: string;
  readonly severity: Readonly<Record<'error' | 'warning' | 'info', string>>;
  /** CSS fonts for ticks, labels and titles */
  readonly tickFont: string;
  readonly labelFont: string;
  readonly titleFont: string;
}

/** Makes a colour translucent. @param share opacity, % */
function faint(colour: string, share: number): string {
  return `color-mix(in srgb, ${colour} ${share}%, transparent)`;
}

const forced = window.matchMedia('(forced-colors: active)');

function readColours(): ChartColours {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(name).trim();
  const family = token('--font');
  const fonts = {
    tickFont: `${token('--t-micro')} ${family}`,
    labelFont: `${token('--t-xs')} ${family}`,
    titleFont: `${token('--w-semi')} ${token('--t-sm')} ${family}`,
  };
  if (forced.matches) {
    return {
      lines: [
        'CanvasText',
        'LinkText',
        'Highlight',
        'VisitedText',
        'CanvasText',
        'LinkText',
        'Highlight',
        'VisitedText',
      ],
      reference: 'GrayText',
      referenceDense: 'transparent',
      grid: faint('GrayText', 40),
      tick: 'CanvasText',
      text: 'CanvasText',
      dim: 'CanvasText',
      panel: 'Canvas',
      cursor: 'Highlight',
      limit: 'CanvasText',
      limitBand: 'transparent',
      severity: { error: 'Highlight', warning: 'Highlight', info: 'Highlight' },
      ...fonts,
    };
  }
  return {
    lines: Array.from({ length: 8 }, (_, k) => token(`--c${k + 1}`)),
    reference: token('--dim'),
    referenceDense: faint(token('--dim'), 20),
    grid: token('--grid'),
    tick: token('--faint'),
    text: token('--text'),
    dim: token('--dim'),
    panel: token('--panel'),
    cursor: token('--cursor'),
    limit: token('--err'),
    limitBand: token('--limit-band'),
    severity: { error: token('--err'), warning: token('--warn'), info: token('--info') },
    ...fonts,
  };
}

export const chartColours = signal(readColours());

// the page's own effect sets the theme attribute of the document before this effect runs
effect(() => {
  void theme.value;
  chartColours.value = readColours();
});
forced.addEventListener('change', () => {
  chartColours.value = readColours();
});
