/** Names of the checks, in the order in which they are shown. */
export const CHECK_NAMES = [
  'compiles',
  'mass',
  'joints',
  'gains',
  'wiring',
  'collision',
  'self_contact',
  'hangs',
  'ground',
  'feet',
  'stands',
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

export interface Check {
  readonly name: CheckName;
  readonly ok: boolean;
  /** the measured values and, if the check failed, the remedy */
  readonly text: string;
  /** whether the check passed, but its text should be reviewed */
  readonly warning?: true;
  /** pairs of bodies; adding them to `contacts.exclude` corrects the failed check */
  readonly exclude?: readonly (readonly [string, string])[];
}

export interface CheckReport {
  /** whether all checks passed */
  readonly ok: boolean;
  readonly checks: readonly Check[];
}

export function passed(name: CheckName, text: string): Check {
  return { name, ok: true, text };
}

export function warned(name: CheckName, text: string): Check {
  return { name, ok: true, warning: true, text };
}

export function failed(name: CheckName, text: string): Check {
  return { name, ok: false, text };
}
