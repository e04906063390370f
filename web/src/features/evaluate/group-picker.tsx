import { Icon } from '../../ui/icon.tsx';
import { checkpointTitle } from './metric-words.ts';
import type { Report } from './run-evaluations.ts';

/** A checkpoint and a condition of a report. Their results form a group. */
export interface Group {
  readonly checkpoint: string;
  readonly condition: string;
}

/** Returns the first group of a report: its first checkpoint under its first condition. */
export function firstGroup({ protocol }: Report): Group {
  return { checkpoint: protocol.checkpoints[0] ?? '', condition: protocol.conditions[0]?.name ?? '' };
}

/** Returns whether a row belongs to a group. */
export function isIn(group: Group): (row: Group) => boolean {
  return ({ checkpoint, condition }) => checkpoint === group.checkpoint && condition === group.condition;
}

export interface GroupPickerProps {
  readonly report: Report;
  readonly value: Group;
  readonly onChange: (group: Group) => void;
}

/** Lets the user select a checkpoint and a condition. A selector is omitted if it has a single choice. */
export function GroupPicker({ report: { protocol }, value, onChange }: GroupPickerProps) {
  const { checkpoints, conditions } = protocol;
  if (checkpoints.length * conditions.length < 2) return null;
  return (
    <div class="group-picker">
      <span class="select boxed">
        <select
          aria-label="Checkpoint"
          value={value.checkpoint}
          onChange={(event) => onChange({ ...value, checkpoint: event.currentTarget.value })}
        >
          {checkpoints.map((name) => (
            <option key={name} value={name}>
              {checkpointTitle(name)}
            </option>
          ))}
        </select>
        <Icon name="down" />
      </span>
      <span class="select boxed">
        <select
          aria-label="Condition"
          value={value.condition}
          onChange={(event) => onChange({ ...value, condition: event.currentTarget.value })}
        >
          {conditions.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <Icon name="down" />
      </span>
    </div>
  );
}
