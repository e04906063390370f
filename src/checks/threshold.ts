import type { CheckKind } from '../protocol/check-kinds.ts';

/** A number that decides what a check reports. `studio.yaml` sets it as `qa.<kind>.<name>`. */
export interface Threshold {
  readonly default: number;
  /** unit and meaning */
  readonly description: string;
  readonly integer: boolean;
}
export type Thresholds = Readonly<Record<string, Threshold>>;

/** Values of thresholds, from the settings or the defaults. */
export type Limits<T extends Thresholds> = { readonly [K in keyof T]: number };

/** Values that differ from the defaults. */
export type CheckSettings = { readonly [K in CheckKind]?: Readonly<Record<string, number>> };

/** Declares a threshold above 0. @param description unit and meaning */
export function threshold(standard: number, description: string): Threshold {
  return { default: standard, description, integer: false };
}

/** Declares a threshold that counts frames. */
export function frameCount(standard: number, description: string): Threshold {
  return { default: standard, description, integer: true };
}

/** Returns the values of a check's thresholds: from the settings if given, else the defaults. */
export function limitsOf<T extends Thresholds>(
  { kind, thresholds }: { readonly kind: CheckKind; readonly thresholds: T },
  settings: CheckSettings,
): Limits<T> {
  const defaults = Object.entries(thresholds).map(([name, { default: value }]) => [name, value]);
  return { ...Object.fromEntries(defaults), ...settings[kind] } as Limits<T>;
}
