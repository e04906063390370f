import './check-list.css';
import type { Check } from '../../../../../src/protocol/schemas/busy.ts';
import { Icon } from '../../../ui/icon.tsx';
import { briefCheck } from './brief-check.ts';

const NAMES: Readonly<Record<string, string>> = {
  task: 'Task builds',
  dimensions: 'Dimensions',
  clips: 'Clips fit the robot',
  steps: 'First step',
  memory: 'Memory',
  resume: 'Resumes',
  start: 'Start',
  time: 'Time',
  balance: 'Balance',
  disk: 'Disk',
  trainer: 'Trainer',
};

/** Checks that warn about a training that can be launched. */
const WARNINGS: readonly string[] = ['time', 'balance'];

/** Lists the checks of a dry run, one per line. The text of a failed check is shown in full. */
export function CheckList({ checks }: { readonly checks: readonly Check[] }) {
  return (
    <ul class="check-rows">
      {checks.map(({ name, ok, text }) => (
        <li key={name} class={ok ? (WARNINGS.includes(name) ? 'warning' : '') : 'bad'}>
          <Icon name={ok && !WARNINGS.includes(name) ? 'check' : 'warn'} />
          <span class="check-name">{NAMES[name] ?? name}</span>
          <span class={ok ? 'dim check-text' : 'err check-text'} title={text}>
            {ok ? briefCheck(text) : text}
          </span>
        </li>
      ))}
    </ul>
  );
}
