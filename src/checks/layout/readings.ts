import * as quaternion from '../../core/math/quaternion.ts';
import type { ClipRobot } from '../../motion/clip-robot.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import { fixText } from '../../motion/fixes.ts';
import type { ClipIssue } from '../clip/issue.ts';
import { CERTAIN, confidenceText, PROPOSED } from './confidence.ts';
import { type Implausibility, implausible, type Plausibility } from './plausibility.ts';

/** A way to read the root of a raw clip, and the issues of a file that must be read so. */
interface Reading {
  /** prior likelihood of such a file, relative to a file that follows its format */
  readonly usual: number;
  readonly turn: (row: Float64Array) => void;
  readonly issues: readonly {
    readonly kind: ClipIssue['kind'];
    readonly text: string;
    readonly fix: string;
    readonly channels: readonly string[];
  }[];
}

/** The likeliest reading of a clip's root. */
export interface RootFindings {
  /** the clip with this reading of its root */
  readonly clip: ClipRows;
  readonly issues: readonly ClipIssue[];
  /** confidence, 0 to 1 */
  readonly sure: number;
  /** implausibility of this reading */
  readonly value: number;
}

/** Implausibility from which other readings are tried. Range of clean clips: 0 to 0.22, or 0.31 if the robot lies all
 *  the time */
const SUSPICIOUS = 0.3;
/** Another interpretation of the file is proposed only if its error is smaller by at least `less`, and at most `part`
 *  of the error as stored. The difference is 0.59 to 2 for clips whose only defect is swapped quaternions. */
const BETTER = { less: 0.3, part: 0.6 } as const;
/** Upper bound for a right reading. Clean clips stay below 0.22; upside-down clips read as swapped have more than
 *  0.39. */
const RIGHT = 0.35;
/** Scale of the likelihood by implausibility: `value` plus `part` times the best reading's implausibility. */
const SPREAD = { value: 0.02, part: 0.2 } as const;
const HALF = Math.SQRT1_2;
const Y_UP = [HALF, HALF, 0, 0];

const TILT = ['root.rpy.roll', 'root.rpy.pitch', 'root.pos.z'] as const;
const PLACE = ['root.pos.x', 'root.pos.y', 'root.pos.z'] as const;
const SWAPPED = {
  kind: 'quaternion_order',
  text: 'the quaternions are w x y z, but the format has x y z w',
  fix: fixText({ kind: 'swap_quaternion' }),
  channels: TILT,
} as const;
const LYING = {
  kind: 'root_tilt',
  text: 'the file has y up instead of z',
  fix: fixText({ kind: 'y_up' }),
  channels: TILT,
} as const;
const UNITS = [
  { factor: 0.01, unit: 'centimetres', usual: 0.2 },
  { factor: 0.001, unit: 'millimetres', usual: 0.05 },
] as const;

const READINGS: readonly Reading[] = allReadings();

function allReadings(): Reading[] {
  const scaled = UNITS.map(({ factor, unit, usual }) => ({
    usual,
    turn: (row: Float64Array) => scale(row, factor),
    issues: [
      {
        kind: 'floating' as const,
        text: `the positions are in ${unit} instead of metres`,
        fix: fixText({ kind: 'scale_positions', factor }),
        channels: PLACE,
      },
    ],
  }));
  const turned: Reading[] = [
    { usual: 0.3, turn: swap, issues: [SWAPPED] },
    { usual: 0.2, turn: standUp, issues: [LYING] },
    { usual: 0.06, turn: both(swap, standUp), issues: [SWAPPED, LYING] },
  ];
  const upsideDown = [
    [0, 1, 0, 0],
    [0, 0, 1, 0],
  ].flatMap((turn) => [
    { usual: 0.02, turn: (row: Float64Array) => rotate(row, turn, 'inside'), issues: [] },
    { usual: 0.02, turn: (row: Float64Array) => rotate(row, turn, 'outside'), issues: [] },
  ]);
  return [
    ...turned,
    ...upsideDown,
    ...scaled,
    ...scaled.flatMap((scaling) =>
      turned.map((way) => ({
        usual: scaling.usual * way.usual,
        turn: both(scaling.turn, way.turn),
        issues: [...scaling.issues, ...way.issues],
      })),
    ),
  ];
}

/** Finds the reading of the root (quaternion order, up axis, unit of length) with the most plausible motion: on the
 *  floor, upright, without sliding.
 *  @param sample pairs of neighbouring frames, as `Plausibility` needs them
 *  @returns null if no reading is better than the file's own; without issues if the best reading is upside down */
export function findRootReading(
  robot: ClipRobot,
  clip: ClipRows,
  sample: ClipRows,
  judge: Plausibility,
): RootFindings | null {
  const own = judge.judge(sample);
  const wrong = implausible(own);
  if (wrong < SUSPICIOUS) return null;
  const readings = READINGS.map((reading) => {
    const parts = judge.judge(read(sample, robot.nq, reading));
    return { reading, parts, value: implausible(parts) };
  });
  const least = Math.min(...readings.map(({ value }) => value));
  if (wrong - least < BETTER.less || least > BETTER.part * wrong) return null;
  const likely = ({ reading, value }: { reading: Reading; value: number }) =>
    reading.usual * Math.exp((least - value) / (SPREAD.value + SPREAD.part * least));
  const best = readings.reduce((found, other) => (likely(other) > likely(found) ? other : found));
  const total = readings.reduce((sum, other) => sum + (sameIssues(best, other) ? 0 : likely(other)), likely(best));
  const sure = Math.min(0.99, likely(best) / total);
  const why = symptom(own, best.parts);
  return {
    clip: read(clip, robot.nq, best.reading),
    sure,
    value: best.value,
    issues: best.reading.issues.map(({ kind, text, fix, channels }) => ({
      ...{ kind, severity: sure < CERTAIN ? 'warning' : 'error', frames: [0, clip.frames - 1] },
      fix: sure < PROPOSED ? null : fix,
      text: `${text}: read as stored, ${why} (${confidenceText(sure)}).`,
      plot: { channels: [...channels], frame: 0 },
    })),
  };
}

/** Returns true if this implausibility is small enough for a clip with a right root and right joints. */
export function isRight(value: number): boolean {
  return value < RIGHT;
}

function sameIssues(a: { reading: Reading }, b: { reading: Reading }): boolean {
  return a.reading.issues === b.reading.issues || (a.reading.issues.length === 0 && b.reading.issues.length === 0);
}

function read(clip: ClipRows, nq: number, { turn }: Reading): ClipRows {
  const rows = Float64Array.from(clip.rows);
  for (let at = 0; at < rows.length; at += nq) turn(rows.subarray(at, at + nq));
  return { ...clip, rows };
}

function both(first: (row: Float64Array) => void, second: (row: Float64Array) => void) {
  return (row: Float64Array) => {
    first(row);
    second(row);
  };
}

/** Corrects a row whose quaternion was read as x y z w although the file has w x y z. */
function swap(row: Float64Array): void {
  const q = row.slice(3, 7);
  row.set([q[1]!, q[2]!, q[3]!, q[0]!], 3);
}

function standUp(row: Float64Array): void {
  const [, y, z] = row;
  row[1] = -z!;
  row[2] = y!;
  rotate(row, Y_UP, 'outside');
}

function rotate(row: Float64Array, turn: ArrayLike<number>, side: 'inside' | 'outside'): void {
  const q = row.subarray(3, 7);
  if (side === 'outside') quaternion.multiply(q, turn, q);
  else quaternion.multiply(q, q, turn);
}

function scale(row: Float64Array, factor: number): void {
  for (let k = 0; k < 3; k++) row[k] = row[k]! * factor;
}

/** Describes the largest difference between two readings. */
export function symptom(own: Implausibility, other: Implausibility): string {
  const parts = [
    {
      gain: own.tilt - other.tilt,
      text: `the root is tilted by ${Math.round((2 * Math.asin(Math.sqrt(own.tilt)) * 180) / Math.PI)}° on average`,
    },
    { gain: own.floor - other.floor, text: 'the feet do not stay on the floor' },
    { gain: own.sliding - other.sliding, text: 'the feet slide over the floor' },
    { gain: own.overlap - other.overlap, text: 'limbs pass through each other' },
  ];
  return parts.reduce((best, part) => (part.gain > best.gain ? part : best)).text;
}
