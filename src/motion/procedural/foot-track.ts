import { FOOT } from '../../robots/humanoid/collisions.ts';
import { SIZE } from '../../robots/humanoid/links.ts';
import { bump, type End, quintic } from './curves.ts';
import type { Foot } from './leg-solver.ts';

/** A footprint: the position of the point below the ankle of a flat foot, m, and its heading, rad. */
export interface Print {
  readonly x: number;
  readonly y: number;
  readonly yaw: number;
}

/** One swing of a foot from its current footprint to the next. */
export interface Swing {
  /** s, times at which the foot leaves and touches the floor */
  readonly start: number;
  readonly end: number;
  readonly to: Print;
  /** additional height of the ankle half way, m */
  readonly lift: number;
  /** pitch of the foot when the toe leaves the floor, rad; before that, the foot rolls over its toe for `before` s */
  readonly push?: number;
  readonly before?: number;
  /** angle by which the toe points up when the heel lands, rad; the foot then rolls down for `after` s */
  readonly strike?: number;
  readonly after?: number;
}

/** Returns the motion of a foot that starts on the footprint `first` and makes `swings` one after another. On the floor
 *  the foot stands, or rolls over toe or heel without slipping. In the air it follows polynomials that continue that
 *  motion smoothly. */
export function footTrack(first: Print, swings: readonly Swing[]): (t: number) => Foot {
  const standing = (index: number) => {
    const print = index === 0 ? first : swings[index - 1]!.to;
    const landed = swings[index - 1];
    const next = swings[index];
    return (t: number): Foot => rolled(print, pitchAt(t, landed, next));
  };
  return (t) => {
    const index = swings.findIndex(({ end }) => t < end);
    if (index < 0) return standing(swings.length)(t);
    const swing = swings[index]!;
    return t <= swing.start ? standing(index)(t) : flying(swing, standing(index), standing(index + 1), t);
  };
}

function pitchAt(t: number, landed: Swing | undefined, next: Swing | undefined): number {
  if (next?.push && next.before && t > next.start - next.before) {
    return next.push * (1 + (t - next.start) / next.before) ** 2;
  }
  if (landed?.strike && landed.after && t < landed.end + landed.after) {
    return -landed.strike * (1 - (t - landed.end) / landed.after) ** 2;
  }
  return 0;
}

/** Returns the pose of a foot after rolling from flat by `pitch` on the round ends of its sole. */
function rolled({ x, y, yaw }: Print, pitch: number): Foot {
  const pivotX = pitch > 0 ? FOOT.toe : FOOT.heel;
  const pivotZ = FOOT.radius - SIZE.ankle;
  const along = pivotX + FOOT.radius * pitch - pivotX * Math.cos(pitch) - pivotZ * Math.sin(pitch);
  const z = FOOT.radius + pivotX * Math.sin(pitch) - pivotZ * Math.cos(pitch);
  return { x: x + along * Math.cos(yaw), y: y + along * Math.sin(yaw), z, pitch, yaw };
}

const H = 1e-3;

function flying(swing: Swing, from: (t: number) => Foot, to: (t: number) => Foot, t: number): Foot {
  const { start, end, lift } = swing;
  const leaving = [from(start - 2 * H), from(start - H), from(start)] as const;
  const landing = [to(end + 2 * H), to(end + H), to(end)] as const;
  const at = (name: keyof Foot): number => {
    const before = endOf(leaving[0][name], leaving[1][name], leaving[2][name], H);
    const after = endOf(landing[0][name], landing[1][name], landing[2][name], -H);
    return quintic(before, after, end - start, t - start);
  };
  return {
    x: at('x'),
    y: at('y'),
    z: at('z') + lift * bump((t - start) / (end - start)),
    pitch: at('pitch'),
    yaw: at('yaw'),
  };
}

/** Estimates value and derivatives at `c` from three samples `h` s apart, by one-sided differences. */
function endOf(a: number, b: number, c: number, h: number): End {
  return [c, (3 * c - 4 * b + a) / (2 * h), (c - 2 * b + a) / (h * h)];
}
