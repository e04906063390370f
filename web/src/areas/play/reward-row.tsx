import { useEffect, useRef, useState } from 'preact/hooks';
import { fixed } from '../../logic/format.ts';
import type { RewardFigure } from '../../logic/play/figures.ts';
import { setWeight } from '../../service/play/control.ts';

interface RewardRowProps {
  readonly term: RewardFigure;
  /** greatest magnitude of all terms: the length of a full bar */
  readonly most: number;
}

/** Where zero is along a bar, so that what is taken has room at its left. */
const ZERO = 0.2;

/** What a term gives, as a bar from zero, and its weight: a click turns that into a field. */
export function RewardRow({ term, most }: RewardRowProps) {
  const { name, value } = term;
  const share = Number.isFinite(value) ? value / most : 0;
  const width = Math.abs(share) * (share < 0 ? ZERO : 1 - ZERO);
  const left = share < 0 ? ZERO - width : ZERO;
  return (
    <li class={`reward${value <= -0.005 ? ' taken' : ''}`}>
      <span class="reward-name ellipsis" title={name}>
        {name}
      </span>
      <span class="reward-value num">{fixed(value, 2)}</span>
      <Weight term={term} />
      <span class="reward-bar" aria-hidden="true">
        <span style={{ left: `${100 * left}%`, width: `${100 * width}%` }} />
        <i style={{ left: `${100 * ZERO}%` }} />
      </span>
    </li>
  );
}

/** A weight without needless digits; tiny ones as powers of ten. */
function plain(weight: number): string {
  const tiny = weight !== 0 && Math.abs(weight) < 1e-3;
  return tiny ? weight.toExponential().replaceAll('-', '\u2212') : fixed(weight, 4).replace(/\.?0+$/, '');
}

function Weight({ term }: { readonly term: RewardFigure }) {
  const [typing, setTyping] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (typing) field.current?.select();
  }, [typing]);
  const changed = term.weight !== term.default;
  if (!typing) {
    return (
      <button
        type="button"
        class={`reward-weight num${changed ? ' changed' : ''}`}
        title={changed ? `was ${plain(term.default)} in the run` : 'Click to change the weight'}
        aria-label={`Weight of ${term.name}, ${plain(term.weight)}${changed ? `, was ${plain(term.default)}` : ''}`}
        onClick={() => setTyping(true)}
      >
        {plain(term.weight)}
      </button>
    );
  }
  const commit = (text: string) => {
    setTyping(false);
    const typed = Number(text.trim().replace('\u2212', '-').replace(',', '.'));
    if (text.trim() !== '' && Number.isFinite(typed) && typed !== term.weight) setWeight(term.name, typed);
  };
  return (
    <input
      ref={field}
      class="reward-weight-field num"
      type="text"
      inputMode="decimal"
      aria-label={`Weight of ${term.name}`}
      defaultValue={String(term.weight)}
      onBlur={(event) => commit(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit(event.currentTarget.value);
        if (event.key === 'Escape') {
          event.stopPropagation();
          setTyping(false);
        }
      }}
    />
  );
}
