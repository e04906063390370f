/** Numbers and lists as sentences for people have them. */

/** Three significant digits. */
export function figure(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** rad to 0.001: smaller is rest. */
export function angle(value: number): string {
  return String(Number(value.toFixed(3)));
}

/** A length in mm, with a decimal below 1 cm. */
export function mm(length: number): string {
  return `${(1000 * length).toFixed(Math.abs(length) < 0.01 ? 1 : 0)} mm`;
}

/** m to 0.1 mm */
export function metres(length: number): string {
  return `${Number(length.toFixed(4))} m`;
}

/** The first few of a list, and how many more. */
export function shortList(names: readonly string[], most = 4): string {
  return names.length <= most ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
}
