import { latin1 } from './csv-number.ts';

/** Bytes in which the line is looked for. */
const HEAD_BYTES = 64;
const RATE = /^(?:\u00ef\u00bb\u00bf)?# ?fps: (\d{1,6}(?:\.\d{1,12})?)\r?\n/;

/** Formats the comment that states the frame rate of a CSV clip, as its first line. Other programs skip comments. */
export function formatRateLine(fps: number): string {
  return `# fps: ${Number(fps.toFixed(12))}\n`;
}

/** Returns the frame rate that the first line of a CSV clip states, Hz; null if it states none.
 *  @param head the first bytes of the file */
export function readRateLine(head: Uint8Array): number | null {
  const found = RATE.exec(latin1(head, 0, Math.min(head.length, HEAD_BYTES)));
  const fps = Number(found?.[1]);
  return fps > 0 ? fps : null;
}
