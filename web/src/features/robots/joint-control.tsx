import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Joint } from '../../../../src/protocol/schemas/robots.ts';
import { fixed } from '../../ui/format.ts';
import { moveJoint } from './pose-store.ts';
import { jointValue } from './robots-store.ts';

const STEP = 0.01;
const BIG_STEP = 0.1;
/** Slider limits (±) of a joint without limits: π rad for a hinge, 0.5 m for a slide joint. */
const FREE = { hinge: Math.PI, slide: 0.5 } as const;

function ends(joint: Joint): readonly [lower: number, upper: number] {
  const free = FREE[joint.type];
  return [joint.lower ?? -free, joint.upper ?? free];
}

const share = (value: number, lower: number, upper: number) =>
  upper > lower ? Math.min(1, Math.max(0, (value - lower) / (upper - lower))) : 0;

/** Slider that sets a joint within its limits. The tick marks the default value. The coloured part extends from the
 *  default to the current value. */
export function JointSlider({ joint }: { readonly joint: Joint }) {
  const value = jointValue(joint).value;
  const [lower, upper] = ends(joint);
  const at = share(value, lower, upper);
  const rest = share(joint.default, lower, upper);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const direction = /^Arrow(Right|Up)$/.test(event.key) ? 1 : /^Arrow(Left|Down)$/.test(event.key) ? -1 : 0;
    if (direction === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    moveJoint(joint, Number((value + direction * (event.shiftKey ? BIG_STEP : STEP)).toFixed(6)));
  };
  return (
    <span class={joint.follows === undefined ? 'slider' : 'slider slider-led'}>
      <span class="slider-track" />
      <span
        class="slider-fill"
        style={{ left: `${100 * Math.min(at, rest)}%`, width: `${100 * Math.abs(at - rest)}%` }}
      />
      <span class="slider-tick" style={{ left: `${100 * rest}%` }} />
      <input
        type="range"
        disabled={joint.follows !== undefined}
        min={lower}
        max={upper}
        step="any"
        value={value}
        aria-label={joint.name}
        title={
          joint.follows === undefined
            ? `${fixed(lower, 2)} to ${fixed(upper, 2)} ${joint.unit}, default ${fixed(joint.default, 2)}`
            : `follows ${joint.follows}`
        }
        aria-valuenow={Number(value.toFixed(4))}
        aria-valuetext={`${fixed(value, 2)} ${joint.unit}`}
        onInput={(event) => moveJoint(joint, event.currentTarget.valueAsNumber)}
        onKeyDown={onKeyDown}
        onDblClick={() => moveJoint(joint, joint.default)}
      />
      <span class="slider-thumb" style={{ left: `${100 * at}%` }} />
    </span>
  );
}

/** Shows the value of a joint. A click turns it into a text field. */
export function JointValue({ joint }: { readonly joint: Joint }) {
  const value = jointValue(joint).value;
  const [typing, setTyping] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (typing) field.current?.select();
  }, [typing]);
  if (!typing) {
    const changed = Math.abs(value - joint.default) > STEP / 2;
    return (
      <button
        type="button"
        class={`joint-value num${changed ? ' changed' : ''}`}
        title={`${joint.name}: click to type, ${joint.unit}`}
        aria-label={`${fixed(value, 2)}, type a value for ${joint.name}`}
        tabIndex={-1}
        disabled={joint.follows !== undefined}
        onClick={() => setTyping(true)}
      >
        {fixed(value, 2)}
      </button>
    );
  }
  const commit = (text: string) => {
    setTyping(false);
    const typed = Number(text.trim().replace('\u2212', '-').replace(',', '.'));
    if (text.trim() !== '' && Number.isFinite(typed)) moveJoint(joint, typed);
  };
  return (
    <input
      ref={field}
      class="joint-field num"
      type="text"
      inputMode="decimal"
      aria-label={`Value of ${joint.name}, ${joint.unit}`}
      defaultValue={value.toFixed(3)}
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
