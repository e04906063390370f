import { badInput } from '../../core/errors.ts';
import type { ClipRobot } from '../clip-robot.ts';
import type { ClipRows } from '../clip-rows.ts';
import { bump, ease, envelope, smoothed } from '../procedural/curves.ts';
import { bentLegs } from './bent-legs.ts';
import { solvePose, type Targets } from './solve-pose.ts';
import { type Stance, stanceOf } from './stance.ts';

/** The motions that are generated for a new robot with legs, so that its first policy can be trained on them. */
export const BASIC_MOTIONS = ['stand', 'sway', 'squat', 'step', 'turn'] as const;
export type BasicMotion = (typeof BASIC_MOTIONS)[number];

/** Rows per second of the clips; raw CSV clips have this rate. */
const FPS = 30;
/** Length of the legs, m, for which the durations below are valid. Other durations are proportional to the square root
 *  of the length, as for a pendulum. */
const USUAL_LEGS = 0.8;
/** Maximum distance of a foot from its target, m. If a motion exceeds it, a smaller amplitude is tried. */
const MISS = 0.005;
/** Factor by which each further try reduces the amplitude, and maximum number of tries. */
const SMALLER = 0.7;
const TRIES = 6;
/** Height by which the root is lowered from the default pose, as a share of the leg length, so that the knees can
 *  bend. */
const CROUCH = 0.02;

interface Motion {
  /** duration for legs of the usual length, s */
  readonly duration: number;
  /** @param t time since the start of the motion, s  @param size factor of the amplitude; the first attempt
   *  uses 1, later ones less */
  targets(t: number, size: number): Targets;
}

/** Generates a motion for any robot with legs, by inverse kinematics of its legs from its default pose. It begins and
 *  ends at rest. The centre of mass stays above the standing feet. Joints other than those of the legs keep their
 *  default angles. @throws bad_input for a robot whose legs cannot do the motion, even with small amplitudes */
export function generateBasic(robot: ClipRobot, name: BasicMotion): ClipRows {
  const stance = stanceOf(robot);
  const { duration, targets } = MOTIONS[name](stance);
  const pace = Math.sqrt(stance.legLength / USUAL_LEGS);
  const frames = Math.round(duration * pace * FPS) + 1;
  // Least squares cannot bend straight legs, because no joint changes their length. Bent legs are the second guess.
  for (const guess of [stance.qpos, bentLegs(robot, stance)]) {
    let size = 1;
    for (let k = 0; k < TRIES; k += 1, size *= SMALLER) {
      const rows = attempt(robot, { stance, guess, frames }, (frame) => targets(frame / FPS / pace, size));
      if (rows) return { fps: FPS, frames, rows };
    }
  }
  throw badInput(
    `wiring.feet: the legs of the robot cannot perform the motion "${name}": the feet do not reach the floor`,
  );
}

interface Attempt {
  readonly stance: Stance;
  /** qpos from which the first frame is solved */
  readonly guess: Float64Array;
  readonly frames: number;
}

/** Solves all frames with one amplitude. @returns null if a foot misses its target */
function attempt(
  robot: ClipRobot,
  { stance, guess, frames }: Attempt,
  targets: (frame: number) => Targets,
): Float64Array | null {
  const { nq } = robot;
  const rows = new Float64Array(frames * nq);
  const qpos = Float64Array.from(guess);
  for (let frame = 0; frame < frames; frame += 1) {
    if (solvePose(robot, stance, targets(frame), qpos) > MISS) return null;
    rows.set(qpos, frame * nq);
  }
  return rows;
}

const MOTIONS: Readonly<Record<BasicMotion, (stance: Stance) => Motion>> = { stand, sway, squat, step, turn };

function standing({ legs, centre, legLength }: Stance): Targets {
  return { yaw: 0, pitch: 0, rise: -CROUCH * legLength, centre, feet: legs.map(() => ({ yaw: 0, lift: 0 })) };
}

function stand(stance: Stance): Motion {
  const still = standing(stance);
  return { duration: 4, targets: () => still };
}

/** Returns a motion in which the centre of mass moves towards each foot in turn. */
function sway(stance: Stance): Motion {
  const still = standing(stance);
  const duration = 8;
  const fade = envelope(0, duration, 1.2);
  return {
    duration,
    targets: (t, size) => {
      const side = size * fade(t) * Math.sin((2 * Math.PI * 2 * t) / duration);
      return { ...still, centre: towards(stance, side >= 0 ? 0 : 1, 0.45 * Math.abs(side)) };
    },
  };
}

/** Returns a motion with three squats. */
function squat(stance: Stance): Motion {
  const still = standing(stance);
  const [rest, cycle, down] = [0.5, 2.2, 0.9];
  const low = (t: number) => {
    const phase = (t - rest) % cycle;
    const within = t >= rest && t < rest + 3 * cycle;
    return within ? ease(phase / down) - ease((phase - down - 0.2) / down) : 0;
  };
  return {
    duration: 2 * rest + 3 * cycle,
    targets: (t, size) => ({
      ...still,
      rise: still.rise - 0.22 * stance.legLength * size * low(t),
      pitch: 0.3 * size * low(t),
    }),
  };
}

interface Pace {
  readonly start: number;
  /** time from one lift-off to the next, s, and time in each step with all feet on the floor, s */
  readonly step: number;
  readonly both: number;
  readonly steps: number;
}

/** Returns a motion that lifts each foot in turn, on the spot. */
function step(stance: Stance): Motion {
  return stepping(stance, { start: 0.8, step: 0.6, both: 0.2, steps: 4 * stance.legs.length }, 0.1, 0);
}

/** Returns a motion that turns by 120° to the left in small steps. */
function turn(stance: Stance): Motion {
  return stepping(
    stance,
    { start: 0.7, step: 0.58, both: 0.18, steps: 4 * stance.legs.length },
    0.07,
    (2 * Math.PI) / 3,
  );
}

/** @param height of a lifted foot, as a share of the length of the legs  @param angle turned in all steps, rad */
function stepping(stance: Stance, { start, step: every, both, steps }: Pace, height: number, angle: number): Motion {
  const still = standing(stance);
  const count = stance.legs.length;
  const end = start + steps * every;
  const rounds = Math.ceil(steps / count);
  const swings = Array.from({ length: steps }, (_, k) => {
    const from = start + k * every + both / 2;
    return { foot: k % count, round: Math.floor(k / count), from, to: from + every - both };
  });
  const part = (t: number, { from, to }: (typeof swings)[number]) => (t - from) / (to - from);
  const heading = smoothed([[start, 0], ...swings.map(({ to }, k): [number, number] => [to, (k + 1) / steps])], 0.35);
  // Share of the weight that is moved to the standing feet while each foot swings.
  const shift = Array.from({ length: count }, (_, foot) =>
    smoothed(
      [
        [start - 0.3, 0],
        ...swings.flatMap((swing): [number, number][] => [[(swing.from + swing.to) / 2, swing.foot === foot ? 1 : 0]]),
        [end + 0.3, 0],
      ],
      0.3,
    ),
  );
  return {
    duration: end + 0.9,
    targets: (t, size) => {
      const yaw = size * angle * heading(t);
      const feet = stance.legs.map((_, foot) => {
        const own = swings.filter((swing) => swing.foot === foot);
        return {
          yaw: own.reduce((sum, swing) => sum + (size * angle * ease(part(t, swing))) / rounds, 0),
          lift: own.reduce((sum, swing) => sum + size * height * stance.legLength * bump(part(t, swing)), 0),
        };
      });
      const [x, y] = stance.legs.reduce(
        ([sumX, sumY], _, foot) => {
          const [toX, toY] = awayFrom(stance, foot, 0.6 * shift[foot]!(t));
          return [sumX + toX - stance.centre[0], sumY + toY - stance.centre[1]];
        },
        [...stance.centre] as [number, number],
      );
      return { ...still, yaw, feet, centre: rotated(x, y, yaw) };
    },
  };
}

/** Returns the centre of mass moved towards a foot, by a share of its distance from the middle of all feet. */
function towards({ legs, centre }: Stance, foot: number, share: number): [number, number] {
  const [middleX, middleY] = middleOf(legs.map(({ position }) => position));
  const [x, y] = legs[foot]!.position as [number, number, number];
  return [centre[0] + share * (x - middleX), centre[1] + share * (y - middleY)];
}

/** Returns the centre of mass moved towards the middle of the feet that stand while `foot` swings. */
function awayFrom({ legs, centre }: Stance, foot: number, share: number): [number, number] {
  const [middleX, middleY] = middleOf(legs.map(({ position }) => position));
  const [x, y] = middleOf(legs.filter((_, k) => k !== foot).map(({ position }) => position));
  return [centre[0] + share * (x - middleX), centre[1] + share * (y - middleY)];
}

function middleOf(points: readonly (readonly number[])[]): [number, number] {
  const sum = (axis: number) => points.reduce((total, point) => total + point[axis]!, 0) / points.length;
  return [sum(0), sum(1)];
}

function rotated(x: number, y: number, yaw: number): [number, number] {
  return [x * Math.cos(yaw) - y * Math.sin(yaw), x * Math.sin(yaw) + y * Math.cos(yaw)];
}
