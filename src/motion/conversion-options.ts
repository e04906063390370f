import type { ReadOptions } from '../protocol/schemas/reading.ts';

/** Options for the conversion of a clip. */
export interface ConversionOptions {
  /** frame rate of the source, Hz; null: the first known of the rate in its file, the rate of its format, and 30 */
  readonly inputFps: number | null;
  /** frame rate of the result, Hz */
  readonly outputFps: number;
  /** true: shift the clip vertically so that its lowest sole stands on the floor */
  readonly debiasZ: boolean;
  /** repairs of the source in the order of application, in the text form of `fixes.ts`, which issues propose */
  readonly fixes: readonly string[];
}

/** Frame rate of raw clips if their file and dataset do not state one, Hz. */
export const DEFAULT_INPUT_FPS = 30;
export const DEFAULT_OUTPUT_FPS = 50;

/** Returns true if two frame rates count as equal. They may differ by the rounding of a file, such as 29.97 in float32,
 *  but not so much that a clip would drift from its time: one frame in 20 s at 50 Hz. @param a @param b Hz */
export const isSameRate = (a: number, b: number): boolean => Math.abs(a / b - 1) <= 1e-3;

/** The record of how a converted clip was made. Stored in the clip's npz. */
export interface ConversionRecord {
  /** frame rate of the source that the conversion used, Hz */
  readonly inputFps: number;
  readonly outputFps: number;
  readonly debiasZ: boolean;
  /** true if the clip is the mirror image of its source */
  readonly mirrored: boolean;
  readonly fixes: readonly string[];
  /** checksum and size of the source; null for a clip converted by an earlier version */
  readonly source: string | null;
  /** options that overrode what the source or its format states */
  readonly read: ReadOptions;
}

const VERSION = 1;

/** Formats the record as JSON. Equal records result in equal texts. */
export function formatConversion(record: ConversionRecord): string {
  const { inputFps, outputFps, debiasZ, mirrored, fixes, source, read } = record;
  return JSON.stringify({
    version: VERSION,
    input_fps: inputFps,
    output_fps: outputFps,
    debias_z: debiasZ,
    mirrored,
    fixes,
    source,
    ...(Object.keys(read).length > 0 ? { read } : {}),
  });
}

/** Parses a record. Returns null for any other text, such as a text of another program. */
export function parseConversion(text: string): ConversionRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const record = value as Readonly<Record<string, unknown>> | null;
  if (typeof record !== 'object' || record === null || record['version'] !== VERSION) return null;
  const { input_fps: inputFps, output_fps: outputFps, debias_z: debiasZ, mirrored, fixes } = record;
  if (typeof inputFps !== 'number' || typeof outputFps !== 'number') return null;
  if (typeof debiasZ !== 'boolean' || typeof mirrored !== 'boolean') return null;
  if (!Array.isArray(fixes) || !fixes.every((fix) => typeof fix === 'string')) return null;
  const source = typeof record['source'] === 'string' ? record['source'] : null;
  const read = typeof record['read'] === 'object' && record['read'] !== null ? (record['read'] as ReadOptions) : {};
  return { inputFps, outputFps, debiasZ, mirrored, fixes, source, read };
}
