import { messageOf } from '../../core/errors.ts';

/** `ok`; `note`: worth knowing; `warning`: something does not work; `error`: the service cannot work. */
type FindingState = 'ok' | 'note' | 'warning' | 'error';

/** One result of `doctor`. */
export interface Finding {
  readonly area: 'machine' | 'programs' | 'workspace';
  /** what was checked: `memory`, `run wbc_humanoid/first` */
  readonly subject: string;
  readonly state: FindingState;
  readonly text: string;
  /** the remedy, often a command; null if nothing has to be done */
  readonly remedy: string | null;
}

/** Returns a function that creates findings of one area. */
export function findingsOf(area: Finding['area']) {
  return (subject: string, state: FindingState, text: string, remedy: string | null = null): Finding => ({
    area,
    subject,
    state,
    text,
    remedy,
  });
}

/** Runs a check. An error that it throws becomes a finding, because `doctor` has to report about damaged things. */
export async function attempt(
  check: () => Promise<readonly Finding[]>,
  failed: (message: string) => Finding,
): Promise<readonly Finding[]> {
  try {
    return await check();
  } catch (error) {
    return [failed(messageOf(error))];
  }
}

/** Returns the first ten findings. The text of the last one adds how many more there are. */
export function firstFindings(found: readonly Finding[]): readonly Finding[] {
  const SHOWN = 10;
  if (found.length <= SHOWN) return found;
  const last = found[SHOWN - 1]!;
  return [
    ...found.slice(0, SHOWN - 1),
    { ...last, text: `${last.text} (and ${found.length - SHOWN} more of this kind)` },
  ];
}
