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
