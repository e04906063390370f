import { useEffect, useRef, useState } from 'preact/hooks';
import { Slider } from '../../ui/fields.tsx';
import { fixed } from '../../ui/format.ts';
import { setWeight } from './control-store.ts';
import type { RewardFigure } from './record-metrics.ts';
import { tidyWeight, weightRange } from './weight-range.ts';

interface RewardRowProps {
  readonly term: RewardFigure;
  /** largest magnitude among all rewards, which is drawn as a full bar */
  readonly most: number;
}

/** Position of zero along a bar; penalties extend to its left. */
const ZERO = 0.2;

/** Shows the value of a reward as a bar, and its weight. A click on the weight turns the weight into a text field and
 *  the bar into a slider. */
export function RewardRow({ term, most }: RewardRowProps) {
  const row = useRef<HTMLLIElement>(null);
  const [typing, setTyping] = useState(false);
  const { name, value } = term;
  const share = Number.isFinite(value) ? value / most : 0;
  const width = Math.abs(share) * (share < 0 ? ZERO : 1 - ZERO);
  const left = share < 0 ? ZERO - width : ZERO;
  return (
    <li
      ref={row}
      class={`reward${value <= -0.005 ? ' taken' : ''}`}
      onFocusOut={(event) => {
        const { target, relatedTarget: to } = event;
        // Ignore the button that the field replaces: it also loses the focus.
        if (!(target instanceof HTMLInputElement)) return;
        if (!(to instanceof Node && row.current?.contains(to) === true)) setTyping(false);
      }}
    >
      <span class="reward-name ellipsis" title={name}>
        {name}
      </span>
      <span class="reward-value num">{fixed(value, 2)}</span>
      {typing ? (
        <WeightField term={term} onEnd={() => setTyping(false)} />
      ) : (
        <WeightButton term={term} onClick={() => setTyping(true)} />
      )}
      {!typing && (
        <span class="reward-bar" aria-hidden="true">
          <span style={{ left: `${100 * left}%`, width: `${100 * width}%` }} />
          <i style={{ left: `${100 * ZERO}%` }} />
        </span>
      )}
    </li>
  );
}

/** Formats a weight without trailing zeros; weights below 1e-3 as powers of ten. */
function plain(weight: number): string {
  const tiny = weight !== 0 && Math.abs(weight) < 1e-3;
  return tiny ? weight.toExponential().replaceAll('-', '\u2212') : fixed(weight, 4).replace(/\.?0+$/, '');
}

function WeightButton({ term, onClick }: { readonly term: RewardFigure; readonly onClick: () => void }) {
  const changed = term.weight !== term.default;
  return (
    <button
      type="button"
      class={`reward-weight num${changed ? ' changed' : ''}`}
      title={changed ? `was ${plain(term.default)} in the run` : 'Click to change the weight'}
      aria-label={`Weight of ${term.name}, ${plain(term.weight)}${changed ? `, was ${plain(term.default)}` : ''}`}
      onClick={onClick}
    >
      {plain(term.weight)}
    </button>
  );
}

/** Text field and slider of a weight. The slider takes effect at once, the field on Enter or when it loses the focus.
 *  Arrow keys change the weight by one step. */
function WeightField({ term, onEnd }: { readonly term: RewardFigure; readonly onEnd: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  // Keep the range fixed while the weight changes within it.
  const [range] = useState(() => weightRange(term.weight, term.default));
  useEffect(() => field.current?.select(), []);
  const commit = () => {
    const text = field.current?.value.trim() ?? '';
    const typed = Number(text.replace('\u2212', '-').replace(',', '.'));
    if (text !== '' && Number.isFinite(typed) && typed !== term.weight) setWeight(term.name, typed);
  };
  const slide = (weight: number) => {
    const tidy = tidyWeight(weight, range.step);
    if (field.current !== null) field.current.value = String(tidy);
    setWeight(term.name, tidy);
  };
  return (
    <>
      <input
        ref={field}
        class="reward-weight-field num"
        type="text"
        inputMode="decimal"
        aria-label={`Weight of ${term.name}`}
        defaultValue={String(term.weight)}
        onBlur={commit}
        onKeyDown={(event) => {
          const step = { ArrowUp: range.step, ArrowDown: -range.step }[event.key];
          if (step !== undefined) {
            event.preventDefault();
            slide(term.weight + step);
          }
          if (event.key === 'Enter') {
            commit();
            onEnd();
          }
          if (event.key === 'Escape') {
            event.stopPropagation();
            event.currentTarget.value = String(term.weight);
            onEnd();
          }
        }}
      />
      <Slider
        label={`Weight of ${term.name}, slider`}
        text={plain(term.weight)}
        {...range}
        from={0}
        value={term.weight}
        onInput={slide}
      />
    </>
  );
}
