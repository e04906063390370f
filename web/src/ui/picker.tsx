import './picker.css';
import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

export interface PickerProps {
  readonly label: string;
  readonly value: string;
  readonly disabled?: boolean;
  readonly onChange: (value: string) => void;
  readonly children: ComponentChildren;
}

/** A labelled native select that fills the available width. */
export function Picker({ label, value, disabled = false, onChange, children }: PickerProps) {
  return (
    <label class="picker">
      <span class="picker-label">{label}</span>
      <span class="select outlined">
        <select
          aria-label={label}
          value={value}
          disabled={disabled}
          title={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {children}
        </select>
        <Icon name="down" small />
      </span>
    </label>
  );
}
