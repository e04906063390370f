import type { Condition } from './schemas/evaluation.ts';

/** Units of the settings of a condition. Settings that are not listed have none. */
const UNITS: Readonly<Partial<Record<keyof Condition, string>>> = {
  timestep: 's',
  delay_steps: 'control steps',
  noise_scale: '×',
  stiffness_scale: '×',
  damping_scale: '×',
  mass_scale: '×',
  torque_scale: '×',
};

/** Returns the unit of a setting of a condition; `""` for a setting without one. */
export function settingUnit(field: string): string {
  return UNITS[field as keyof Condition] ?? '';
}

/** The setting that a condition varies, and its value as shown. */
export interface VariedSetting {
  readonly field: string;
  readonly value: string;
}

/** Returns the setting that a condition varies; null if it varies none or several settings. */
export function variedSetting(condition: Condition): VariedSetting | null {
  const settings = Object.entries(condition).filter(([field]) => field !== 'name');
  const [only] = settings;
  if (settings.length !== 1 || only === undefined) return null;
  const [field, value] = only;
  return { field, value: typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value) };
}
