import { CONTACT_HEIGHT } from '../../../../../src/protocol/contact-height.ts';
import { decodeFloats, type PlotReply } from './plot-reply.ts';

/** When a foot stands on the floor. */
export interface FootContacts {
  /** as a lane has room for it */
  readonly name: string;
  /** stretches of frames; `end` is one past the last */
  readonly stretches: readonly { readonly first: number; readonly end: number }[];
}

/** @param feet reply of the group `feet`: heights of the soles  @throws Error when its data is not whole float32 numbers */
export function footContacts({ channels, frames, data }: PlotReply): FootContacts[] {
  const heights = decodeFloats(data);
  return channels.map(({ name }, foot) => {
    const stretches: { first: number; end: number }[] = [];
    for (let frame = 0; frame < frames; frame++) {
      if (!(heights[frame * channels.length + foot]! < CONTACT_HEIGHT)) continue;
      const last = stretches.at(-1);
      if (last?.end === frame) last.end = frame + 1;
      else stretches.push({ first: frame, end: frame + 1 });
    }
    return { name: footName(name), stretches };
  });
}

/** `Left foot` of `left_ankle_roll_link`; bodies of no side keep their name. */
function footName(body: string): string {
  const side = /(?:^|_)(left|right|l|r)(?:_|$)/i.exec(body)?.[1]?.toLowerCase()[0];
  if (side === undefined) return body;
  return side === 'l' ? 'Left foot' : 'Right foot';
}

/** The stretches as one outline, a frame wide and one high for each. */
export function contactPath({ stretches }: FootContacts): string {
  return stretches.map(({ first, end }) => `M${first} 0H${end}V1H${first}z`).join('');
}
