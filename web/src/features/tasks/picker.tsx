import { Icon } from '../../ui/icon.tsx';

export interface PickerProps {
  readonly id?: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-label'?: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly disabled?: boolean;
  readonly invalid?: boolean;
  readonly onChange: (value: string) => void;
}

/** A native select in a box. Also shows a value that is not among the options. */
export function Picker({ value, options, onChange, invalid = false, ...rest }: PickerProps) {
  return (
    <span class={`select knob-select${invalid ? ' invalid' : ''}`}>
      <select {...rest} value={value} aria-invalid={invalid} onChange={(event) => onChange(event.currentTarget.value)}>
        {!options.includes(value) && <option value={value}>{value}</option>}
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
      <Icon name="down" />
    </span>
  );
}
