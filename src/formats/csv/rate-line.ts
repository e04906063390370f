import { latin1 } from './csv-number.ts';

/** Number of bytes in which the comments are searched. */
const HEAD_BYTES = 4096;
/** The start of the clips that this service writes: the rate, then numbers as `formatClipCsv` writes them. numpy's
 *  `savetxt` writes the same line if its header is `fps: 60`, but its numbers have exponents. */
const OWN = /^(?:\u00ef\u00bb\u00bf)?# ?fps: (\d{1,6}(?:\.\d{1,12})?)\r?\n(?=-?\d+\.\d{6,7},)/;
/** Comments with which other programs state the rate: `# fps=60`, `# sample_rate: 50 Hz` */
const STATED =
  /^#\s*(?:fps|hz|frequency|(?:frame|sample|sampling)[ _-]?rate)\s*(?:[:=]\s*)?(\d{1,6}(?:\.\d{1,12})?)\s*(?:hz|fps)?$/i;

/** The frame rate that a comment above the rows states. */
export interface RateLine {
  /** frames per second */
  readonly fps: number;
  /** true if this service wrote the file, judged by the form of its first two lines */
  readonly own: boolean;
}

/** Formats the first line of a CSV clip: a comment with the frame rate. Other programs skip comments. */
export function formatRateLine(fps: number): string {
  return `# fps: ${Number(fps.toFixed(12))}\n`;
}

/** Returns the frame rate that a comment above the rows states; null without such a comment.
 *  @param head first bytes of the file */
export function readRateLine(head: Uint8Array): RateLine | null {
  const text = latin1(head, 0, Math.min(head.length, HEAD_BYTES));
  const own = Number(OWN.exec(text)?.[1]);
  if (own > 0) return { fps: own, own: true };
  for (const line of text.replace(/^\u00ef\u00bb\u00bf/, '').split('\n')) {
    const shown = line.trim();
    if (shown !== '' && !shown.startsWith('#')) break;
    const fps = Number(STATED.exec(shown)?.[1]);
    if (fps > 0) return { fps, own: false };
  }
  return null;
}
