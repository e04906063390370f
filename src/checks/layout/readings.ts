import * as quaternion from '../../core/math/quaternion.ts';
import type { ClipRobot } from '../../motion/clip-robot.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import { fixText } from '../../motion/fixes.ts';
import type { ClipIssue } from '../clip/issue.ts';
import { CERTAIN, confidenceText, PROPOSED } from './confidence.ts';
import { type Implausibility, implausible, type Plausibility } from './plausibility.ts';

/** A way to read the root of a raw clip, and what is then wrong with the file. */
interface Reading {
  /** how usual it is that a file is so, against one that is as its format says */
  readonly usual: number;
  readonly turn: (row: Float64Array) => void;
  readonly issues: readonly {
    readonly kind: ClipIssue['kind'];
    readonly text: string;
    readonly fix: string;
    readonly channels: readonly string[];
  }[];
}

/** What a clip's root is likeliest to be. */
export interface RootFindings {
  /** the clip, its root read so */
  readonly clip: ClipRows;
  readonly issues: readonly ClipIssue[];
  /** 0 to 1 */
  readonly sure: number;
  /** how implausible it is then */
  readonly value: number;
}

/** A clip this implausible is read in other ways, too. Clean clips: 0 to 0.22; lying down all the time 0.31 */
const SUSPICIOUS = 0.3;
/** Another reading must be better by so much, and be a part of the file's own so small. With quaternions swapped clean
 *  clips have 0.59 to 2. */
const BETTER = { less: 0.3, part: 0.6 } as const;
/** What a right reading may be at most: clean clips stay below 0.22, upside-down ones read as swapped above 0.39. */
const RIGHT = 0.35;
/** How much more implausible makes a reading less likely, and the part of the best's that is chance. */
const SPREAD = { value: 0.02, part: 0.2 } as const;
const HALF = Math.SQRT1_2;
const Y_UP = [HALF, HALF, 0, 0];

const TILT = ['root.rpy.roll', 'root.rpy.pitch', 'root.pos.z'] as const;
const PLACE = ['root.pos.x', 'root.pos.y', 'root.pos.z'] as const;
const SWAPPED = {
  kind: 'quaternion_order',
  text: 'the quaternions are w x y z, the format has x y z w',
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

/** Tells by what a body does (stand on the floor, upright, without sliding) whether the root is read as it was meant:
 *  order of the quaternions, which axis is up, unit of length.
 *  @param sample pairs of neighbouring frames, as `Plausibility` takes them
 *  @returns null where nothing is better than the file's own reading; no issues where it is upside down */
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
      text: `${text}: read as it is, ${why} (${confidenceText(sure)}).`,
      plot: { channels: [...channels], frame: 0 },
    })),
  };
}

/** Whether a reading is one of a clip as it should be, joints included. */
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

/** Rows were made of columns taken for x y z w; taken for w x y z they are these. */
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

/** What is most different between two readings, in words. */
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
