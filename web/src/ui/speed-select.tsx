import { times } from './format.ts';
import { Icon } from './icon.tsx';
import { SPEEDS } from './speeds.ts';

interface Props {
  readonly speed: number;
  readonly disabled: boolean;
  readonly onChange: (speed: number) => void;
}

/** Menu of playback speeds. A current speed that is not in the menu is added to it. */
export function SpeedSelect({ speed, disabled, onChange }: Props) {
  const menu = [...new Set([...SPEEDS, speed])].sort((a, b) => a - b);
  return (
    <label class="select">
      <span class="visually-hidden">Speed</span>
      <select
        aria-label="Speed"
        title="Speed (keys: + faster, − slower, 1 normal)"
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
