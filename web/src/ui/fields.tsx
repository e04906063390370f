import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { ofField } from './format.ts';

export interface CheckboxProps {
  /** accessible name */
  readonly label: string;
  /** null for mixed: some are checked, others are not */
  readonly checked: boolean | null;
  readonly disabled?: boolean;
  readonly title?: string;
  readonly onChange: (checked: boolean, event: MouseEvent) => void;
}

/** A native checkbox without visible text. Reports whether Shift was held during a click. */
export function Checkbox({ label, checked, disabled = false, title, onChange }: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = checked === null;
  }, [checked]);
  return (
    <input
      ref={box}
      type="checkbox"
      class="checkbox"
      aria-label={label}
      title={title}
      checked={checked === true}
      disabled={disabled}
      onClick={(event) => {
        event.stopPropagation();
        onChange(event.currentTarget.checked, event);
      }}
    />
  );
}

export interface SliderProps {
  /** accessible name */
  readonly label: string;
  /** text of the value for screen readers */
  readonly text: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** value at which the filled part begins; `min` if omitted */
  readonly from?: number;
  readonly onInput: (value: number) => void;
}

/** A native slider with a line below that is filled up to the value. */
export function Slider({ label, text, value, min, max, step, from = min, onInput }: SliderProps) {
  const share = (one: number) => (100 * (Math.min(max, Math.max(min, one)) - min)) / (max - min);
  const [start, at] = [share(from), share(value)];
  return (
    <span class="slider">
      <span class="slider-track" />
      <span class="slider-fill" style={{ left: `${Math.min(start, at)}%`, width: `${Math.abs(at - start)}%` }} />
      <input
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        aria-label={label}
        aria-valuetext={text}
        onInput={(event) => onInput(event.currentTarget.valueAsNumber)}
      />
      <span class="slider-thumb" style={{ left: `${at}%` }} />
    </span>
  );
}

export interface FieldRowProps {
  readonly label: string;
  /** explanation, shown below the control */
  readonly hint?: string;
  /** reason why the value is invalid */
  readonly error?: string | null;
  readonly children: (ids: { readonly id: string; readonly 'aria-describedby': string }) => ComponentChildren;
}

/** A label, a control, and a line below with the hint or the error. */
export function FieldRow({ label, hint, error = null, children }: FieldRowProps) {
  const id = useId();
  return (
    <div class={`field-row${error === null ? '' : ' invalid'}`}>
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': `${id}-note` })}
      <p class={error === null ? 'field-note' : 'field-note err'} id={`${id}-note`}>
        {error === null ? hint : ofField(error)}
      </p>
    </div>
  );
}

export interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
  readonly error?: string | null;
  readonly placeholder?: string;
  /** unit of the value, shown after it */
  readonly unit?: string;
  readonly numeric?: boolean;
  readonly mono?: boolean;
  readonly disabled?: boolean;
  readonly autofocus?: boolean;
  readonly onInput: (value: string) => void;
}

export function TextField(props: TextFieldProps) {
  const {
    label,
    value,
    hint,
    error = null,
    placeholder,
    unit,
    numeric = false,
    mono = false,
    disabled,
    autofocus,
  } = props;
  const input = useRef<HTMLInputElement>(null);
  // an opening dialog focuses its autofocus field itself, but not if its content is rendered later
  useEffect(() => {
    if (autofocus === true) input.current?.focus();
  }, []);
  return (
    <FieldRow label={label} error={error} {...(hint === undefined ? {} : { hint })}>
      {(ids) => (
        <span class="field">
          <input
            {...ids}
            ref={input}
            type="text"
            inputMode={numeric ? 'decimal' : undefined}
            class={`${numeric ? 'num' : ''}${mono ? ' mono' : ''}`}
            value={value}
            placeholder={placeholder}
            aria-invalid={error !== null}
            disabled={disabled}
            autofocus={autofocus === true}
            spellcheck={false}
            autocomplete="off"
            onInput={(event) => props.onInput(event.currentTarget.value)}
          />
          {unit !== undefined && <span class="faint">{unit}</span>}
        </span>
      )}
    </FieldRow>
  );
}
