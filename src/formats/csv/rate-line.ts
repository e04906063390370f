import { latin1 } from './csv-number.ts';

/** Number of bytes in which the comment is searched. */
const HEAD_BYTES = 64;
const RATE = /^(?:\u00ef\u00bb\u00bf)?# ?fps: (\d{1,6}(?:\.\d{1,12})?)\r?\n/;

/** Formats the first line of a CSV clip: a comment with the frame rate. Other programs skip comments. */
export function formatRateLine(fps: number): string {
  return `# fps: ${Number(fps.toFixed(12))}\n`;
}

/** Returns the frame rate that the first line of a CSV clip states, Hz; null if it does not state a rate.
 *  @param head first bytes of the file */
export function readRateLine(head: Uint8Array): number | null {
  const found = RATE.exec(latin1(head, 0, Math.min(head.length, HEAD_BYTES)));
  const fps = Number(found?.[1]);
  return fps > 0 ? fps : null;
}
