import './picker.css';
import type { ComponentChildren } from 'preact';
import type { GlossaryKey } from './glossary.ts';
import { Icon } from './icon.tsx';
import { Term } from './term.tsx';

export interface PickerProps {
  readonly label: string;
  readonly value: string;
  readonly disabled?: boolean;
  /** explains the label */
  readonly about?: GlossaryKey;
  readonly onChange: (value: string) => void;
  readonly children: ComponentChildren;
}

/** A labelled native select that fills the available width. */
export function Picker({ label, value, disabled = false, about, onChange, children }: PickerProps) {
  return (
    <div class="picker">
      <span class="picker-label">
        {label} {about !== undefined && <Term of={about} />}
      </span>
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
    </div>
  );
}
