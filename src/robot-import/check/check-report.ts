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
  /** what was seen, with its figure, and what to do about it where it failed */
  readonly text: string;
  /** passed, but worth a look */
  readonly warning?: true;
  /** pairs of bodies for `contacts.exclude` that would mend it */
  readonly exclude?: readonly (readonly [string, string])[];
}

export interface CheckReport {
  /** all passed */
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
