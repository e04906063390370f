import { CONTACT_HEIGHT } from '../../../../../src/protocol/contact-height.ts';
import { sideOf } from '../../../../../src/protocol/part-sides.ts';
import { decodeFloats, type PlotReply } from './plot-reply.ts';

/** Ranges of frames in which a foot is on the floor. */
export interface FootContacts {
  /** short name that fits the lane */
  readonly name: string;
  /** ranges of frames; `end` is one past the last frame */
  readonly stretches: readonly { readonly first: number; readonly end: number }[];
}

/** Returns the contacts of each foot, from the heights of the soles.
 *  @param feet reply for the group `feet`  @throws Error if its data is not whole float32 numbers */
export function footContacts({ channels, frames, data }: PlotReply): FootContacts[] {
  const values = decodeFloats(data);
  const names = footNames(channels.filter(({ id }) => id.startsWith('height.')).map(({ name }) => name));
  let foot = 0;
  return channels.flatMap(({ id }, channel) => {
    if (!id.startsWith('height.')) return [];
    const stretches: { first: number; end: number }[] = [];
    for (let frame = 0; frame < frames; frame++) {
      if (!(values[frame * channels.length + channel]! < CONTACT_HEIGHT)) continue;
      const last = stretches.at(-1);
      if (last?.end === frame) last.end = frame + 1;
      else stretches.push({ first: frame, end: frame + 1 });
    }
    return [{ name: names[foot++]!, stretches }];
  });
}

/** Returns `Left foot` for `left_ankle_roll_link`. Bodies keep their names if they state no side, or if a side has
 *  several feet. */
function footNames(bodies: readonly string[]): string[] {
  const sides = bodies.map((body) => sideOf(body, bodies));
  return bodies.map((body, at) => {
    const side = sides[at]!;
    if (side === null || sides.filter((other) => other === side).length > 1) return body;
    return side === 'left' ? 'Left foot' : 'Right foot';
  });
}

/** Returns the ranges as one SVG path: each one unit high, one unit wide per frame. */
export function contactPath({ stretches }: FootContacts): string {
  return stretches.map(({ first, end }) => `M${first} 0H${end}V1H${first}z`).join('');
}
