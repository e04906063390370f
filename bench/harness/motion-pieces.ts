import { createHash } from 'node:crypto';
import type { ClipRows } from '../../src/motion/clip-rows.ts';
import { cutClip, KIT_CLIPS, kitClip } from '../../test/support/clips.ts';

/** Maximum length of a piece, s. */
const PIECE_S = 10;
/** Seed of the draw. Never change it: earlier results name the pieces of this draw. */
const DRAW_SEED = 'learn-1';
/** Number of pieces per split from the clips of each kind. */
const DRAWN: readonly { readonly clips: readonly KitClip[]; readonly count: number }[] = [
  { clips: ['walk1_subject1'], count: 2 },
  { clips: ['dance1_subject2'], count: 2 },
  { clips: ['fallAndGetUp1_subject1'], count: 1 },
  { clips: ['flip_360_009__A416', 'flip_090_003__A304_M'], count: 1 },
];

type KitClip = (typeof KIT_CLIPS)[number];

/** A part of a clip of the kit, at most ten seconds long. */
export interface Piece {
  /** `<clip>@<start in s>` */
  readonly name: string;
  readonly clip: KitClip;
  /** s */
  readonly start: number;
  readonly rows: ClipRows;
  /** s */
  readonly duration: number;
}

/** Draws the pieces of both splits. Long clips are cut every ten seconds, without their first ten seconds, because
 *  the trainer was tuned on two of these. Shorter clips are one piece. */
export function drawPieces(): { readonly tune: readonly Piece[]; readonly judge: readonly Piece[] } {
  const tune: Piece[] = [];
  const judge: Piece[] = [];
  for (const { clips, count } of DRAWN) {
    const names = clips.flatMap((clip) => {
      const { frames, fps } = kitClip(clip);
      const whole = Math.floor((frames - 1) / fps / PIECE_S);
      if (whole === 0) return [`${clip}@0`];
      return Array.from({ length: whole - 1 }, (_, k) => `${clip}@${PIECE_S * (k + 1)}`);
    });
    const order = new Map(
      names.map((name) => [name, createHash('sha256').update(`${DRAW_SEED}/${name}`).digest('hex')]),
    );
    names.sort((a, b) => (order.get(a)! < order.get(b)! ? -1 : 1));
    tune.push(...names.slice(0, count).map(readPiece));
    judge.push(...names.slice(count, 2 * count).map(readPiece));
  }
  return { tune, judge };
}

/** Reads `<clip>@<start in s>`. @throws Error for an unknown clip or a start after its end */
export function readPiece(name: string): Piece {
  const [clip, from] = name.split('@') as [KitClip, string | undefined];
  if (!KIT_CLIPS.includes(clip)) throw new Error(`no clip "${clip}"; known: ${KIT_CLIPS.join(', ')}`);
  const whole = kitClip(clip);
  const start = Number(from ?? 0);
  const first = Math.round(start * whole.fps);
  if (!(first >= 0 && first < whole.frames - 1)) throw new Error(`"${name}" starts outside of its clip`);
  const rows = cutClip(whole, first, PIECE_S * whole.fps + 1);
  return { name, clip, start, rows, duration: (rows.frames - 1) / rows.fps };
}

/** Whether two pieces share a part of a clip. */
export function overlap(a: Piece, b: Piece): boolean {
  return a.clip === b.clip && Math.abs(a.start - b.start) < PIECE_S;
}
