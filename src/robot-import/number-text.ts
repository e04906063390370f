/** Formats a number with three significant digits. */
export function threeDigits(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** Formats an angle, rad, to 0.001. */
export function angle(value: number): string {
  return String(Number(value.toFixed(3)));
}

/** Formats a length, m, in mm; with one decimal below 1 cm. */
export function mm(length: number): string {
  return `${(1000 * length).toFixed(Math.abs(length) < 0.01 ? 1 : 0)} mm`;
}

/** Formats a length, m, to 0.1 mm. */
export function metres(length: number): string {
  return `${Number(length.toFixed(4))} m`;
}

/** Joins the first names of a list, and states how many names follow. */
export function shortList(names: readonly string[], most = 4): string {
  return names.length <= most ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
}
