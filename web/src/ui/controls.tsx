import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { whole } from './format.ts';
import { Icon, type IconName, StateShape } from './icon.tsx';

type ButtonKind = 'primary' | 'default' | 'outline' | 'quiet' | 'danger' | 'confirm';

export interface ButtonProps {
  readonly kind?: ButtonKind;
  readonly icon?: IconName;
  readonly small?: boolean;
  readonly busy?: boolean;
  readonly disabled?: boolean;
  /** tooltip; on a disabled button, the reason why it is disabled */
  readonly title?: string;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

export function Button({
  kind = 'default',
  icon,
  small = false,
  busy = false,
  disabled = false,
  title,
  onClick,
  children,
}: ButtonProps) {
  return (
    <button
      type="button"
      class={`btn btn-${kind}${small ? ' btn-s' : ''}`}
      disabled={disabled}
      aria-disabled={busy} // a disabled button would lose the focus of the keyboard
      aria-busy={busy}
      title={title}
      onClick={busy ? undefined : onClick}
    >
      {busy ? <span class="spinner" aria-hidden="true" /> : icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

export interface IconButtonProps {
  readonly icon: IconName;
  /** accessible name */
  readonly label: string;
  /** keyboard shortcut, shown in the tooltip */
  readonly hint?: string;
  /** state of a toggle button; omitted for other buttons */
  readonly pressed?: boolean;
  readonly disabled?: boolean;
  readonly class?: string;
  readonly onClick: (event: MouseEvent) => void;
}

export function IconButton({
  icon,
  label,
  hint,
  pressed,
  disabled = false,
  class: extra = '',
  onClick,
}: IconButtonProps) {
  return (
    <button
      type="button"
      class={`icon-btn${pressed === true ? ' on' : ''} ${extra}`}
      aria-label={label}
      aria-pressed={pressed}
      title={hint === undefined ? label : `${label} (${hint})`}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

export interface SwitchProps {
  readonly label: string;
  readonly on: boolean;
  readonly disabled?: boolean;
  readonly title?: string;
  readonly onChange: (on: boolean) => void;
}

/** A label and a switch in one row; a click anywhere in the row toggles the switch. */
export function Switch({ label, on, disabled = false, title, onChange }: SwitchProps) {
  return (
    <label class="switch-row" title={title}>
      <span class="ellipsis">{label}</span>
      <input
        type="checkbox"
        role="switch"
        class="switch"
        checked={on}
        aria-checked={on}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </label>
  );
}

export interface SegmentedProps<V extends string> {
  readonly label: string;
  readonly value: V;
  readonly options: readonly (readonly [value: V, text: string, count?: number])[];
  readonly onChange: (value: V) => void;
}

export function Segmented<V extends string>({ label, value, options, onChange }: SegmentedProps<V>) {
  return (
    <fieldset class="segmented" aria-label={label}>
      {options.map(([option, text, count]) => (
        <button
          type="button"
          key={option}
          aria-pressed={option === value}
          class={option === value ? 'on' : ''}
          onClick={() => onChange(option)}
        >
          {text}
          {count !== undefined && <span class="seg-count num">{whole(count)}</span>}
        </button>
      ))}
    </fieldset>
  );
}

export interface TabsProps<V extends string> {
  readonly label: string;
  readonly value: V;
  readonly tabs: readonly (readonly [value: V, text: string, count?: number])[];
  readonly onChange: (value: V) => void;
}

/** Tabs with arrow-key navigation. The caller renders the panel, labelled by `tab-<value>`. */
export function Tabs<V extends string>({ label, value, tabs, onChange }: TabsProps<V>) {
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const move = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (move === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const at = tabs.findIndex(([tab]) => tab === value);
    const next = tabs[(at + move + tabs.length) % tabs.length];
    if (next === undefined) return;
    onChange(next[0]);
    event.currentTarget.querySelector<HTMLElement>(`#tab-${next[0]}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map(([tab, text, count]) => (
        <button
          type="button"
          role="tab"
          id={`tab-${tab}`}
          key={tab}
          aria-selected={tab === value}
          tabIndex={tab === value ? 0 : -1}
          class={tab === value ? 'on' : ''}
          onClick={() => onChange(tab)}
        >
          {text}
          {count !== undefined && <span class="count">{whole(count)}</span>}
        </button>
      ))}
    </div>
  );
}

export type BadgeKind = 'error' | 'warning' | 'info' | 'ok' | 'accent' | 'neutral';

export function Badge({ kind, children }: { readonly kind: BadgeKind; readonly children: ComponentChildren }) {
  return (
    <span class={`badge badge-${kind}`}>
      {kind !== 'neutral' && kind !== 'accent' && <StateShape kind={kind} />}
      {children}
    </span>
  );
}

/** @param value 0..1; null if the progress is unknown */
export function Progress({ value, label }: { readonly value: number | null; readonly label: string }) {
  const known =
    value === null ? {} : { 'aria-valuenow': Math.round(100 * value), 'aria-valuemin': 0, 'aria-valuemax': 100 };
  return (
    <span class={`progress${value === null ? ' unknown' : ''}`} role="progressbar" aria-label={label} {...known}>
      <span style={value === null ? undefined : { width: `${100 * value}%` }} />
    </span>
  );
}

export function Kbd({ keys }: { readonly keys: readonly string[] }) {
  return (
    <span class="keys">
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}
