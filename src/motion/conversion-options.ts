/** How a clip is converted. */
export interface ConversionOptions {
  /** frames a second of the source; null: what its file says, else 30 */
  readonly inputFps: number | null;
  /** frames a second of the result */
  readonly outputFps: number;
  /** whether the clip is shifted so that its lowest sole stands on the floor */
  readonly debiasZ: boolean;
  /** repairs of the source, as issues propose them (`fixes.ts`), in the order they are applied */
  readonly fixes: readonly string[];
}

/** Frame rate of raw clips whose file and dataset say none. */
export const DEFAULT_INPUT_FPS = 30;
export const DEFAULT_OUTPUT_FPS = 50;

/** How a converted clip was made, as its npz keeps it. */
export interface ConversionRecord {
  /** the source's, as it was used */
  readonly inputFps: number;
  readonly outputFps: number;
  readonly debiasZ: boolean;
  /** whether it is the mirror image of its source */
  readonly mirrored: boolean;
  readonly fixes: readonly string[];
  /** what identifies the content of its source; null for a clip of an earlier version */
  readonly source: string | null;
}

const VERSION = 1;

/** The record as JSON text: the same text for the same conversion. */
export function formatConversion(record: ConversionRecord): string {
  const { inputFps, outputFps, debiasZ, mirrored, fixes, source } = record;
  return JSON.stringify({
    version: VERSION,
    input_fps: inputFps,
    output_fps: outputFps,
    debias_z: debiasZ,
    mirrored,
    fixes,
    source,
  });
}

/** Reads a record back; null for a text that is none, as of files that others made. */
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
  return { inputFps, outputFps, debiasZ, mirrored, fixes, source };
}
