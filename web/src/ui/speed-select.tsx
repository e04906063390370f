import { times } from './format.ts';
import { Icon } from './icon.tsx';

interface Props {
  /** real-time factors to choose from; a speed that is set elsewhere joins them */
  readonly speeds: readonly number[];
  readonly speed: number;
  readonly disabled: boolean;
  readonly onChange: (speed: number) => void;
}

/** How fast something plays. */
export function SpeedSelect({ speeds, speed, disabled, onChange }: Props) {
  const menu = speeds.includes(speed) ? speeds : [...speeds, speed].sort((a, b) => a - b);
  return (
    <label class="select">
      <span class="visually-hidden">Speed</span>
      <select
        aria-label="Speed"
        title="Speed (+ − 1)"
        class="num"
        disabled={disabled}
        value={String(speed)}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      >
        {menu.map((s) => (
          <option key={s} value={String(s)}>
            {times(s)}
          </option>
        ))}
      </select>
      <Icon name="down" small />
    </label>
  );
}
