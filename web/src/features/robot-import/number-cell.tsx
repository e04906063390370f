import { useState } from 'preact/hooks';
import type { Joint } from '../../../../src/protocol/schemas/robots.ts';

export interface NumberCellProps {
  /** accessible name */
  readonly label: string;
  /** null: no value */
  readonly value: number | null;
  readonly unit?: string;
  /** decimals shown while the field is not edited */
  readonly digits?: number;
  readonly least?: number;
  readonly title?: string;
  readonly onChange: (value: number) => void;
  /** called when the field is emptied; without it the number is required */
  readonly onClear?: () => void;
}

/** An editable number: Enter or leaving the field commits, Escape restores; invalid text is discarded. */
export function NumberCell({ label, value, unit, digits = 2, least, title, onChange, onClear }: NumberCellProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const read = (text: string) => Number(text.trim().replace('\u2212', '-').replace(',', '.'));
  const good = (text: string) => {
    const n = read(text);
    if (text.trim() === '') return value === null || onClear !== undefined;
    return Number.isFinite(n) && n >= (least ?? Number.NEGATIVE_INFINITY);
  };
  const commit = () => {
    if (typed !== null && good(typed)) {
      if (typed.trim() === '') {
        if (value !== null) onClear?.();
      } else if (read(typed) !== value) onChange(read(typed));
    }
    setTyped(null);
  };
  return (
    <span class="number-cell" title={title}>
      <input
        type="text"
        inputMode="decimal"
        class="num"
        aria-label={label}
        aria-invalid={typed !== null && !good(typed)}
        value={typed ?? value?.toFixed(digits).replace('-', '\u2212') ?? ''}
        placeholder={value === null ? '–' : undefined}
        onFocus={(event) => {
          setTyped(value === null ? '' : String(value));
          const field = event.currentTarget;
          requestAnimationFrame(() => field.select());
        }}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
          if (event.key === 'Escape') {
            event.stopPropagation();
            setTyped(null);
            const field = event.currentTarget;
            requestAnimationFrame(() => field.blur());
          }
        }}
      />
      {unit !== undefined && value !== null && <span class="dim">{unit}</span>}
    </span>
  );
}

/** Half-width of the range of joints without limits, rad or m */
const FREE_RANGE = Math.PI;

/** Half-width of the ranges of a table, rad or m: the greatest limit of its joints, at least FREE_RANGE. */
export function widestRange(joints: readonly Pick<Joint, 'lower' | 'upper'>[]): number {
  return Math.max(FREE_RANGE, ...joints.flatMap(({ lower, upper }) => [Math.abs(lower ?? 0), Math.abs(upper ?? 0)]));
}

/** A joint's range as a line, its default as a tick, on the scale of the table's widest range. */
export function RangeLine({
  lower,
  upper,
  at,
  widest,
}: {
  readonly lower: number | null;
  readonly upper: number | null;
  readonly at: number;
  readonly widest: number;
}) {
  const share = (value: number) => 50 + (50 * Math.max(-widest, Math.min(widest, value))) / widest;
  const [from, to] = [share(lower ?? -widest), share(upper ?? widest)];
  return (
    <span class="range-line" aria-hidden="true">
      <span class={lower === null ? 'free' : ''} style={{ left: `${from}%`, width: `${Math.max(0, to - from)}%` }} />
      <i style={{ left: `${share(at)}%` }} />
    </span>
  );
}
