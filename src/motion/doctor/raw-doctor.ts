import type { ClipRobot } from '../clip-robot.ts';
import type { ClipRows } from '../clip-rows.ts';
import { fixText } from '../fixes.ts';
import { figure, type QaIssue } from '../qa/issue.ts';
import { jointOrders, type KnownOrder, oddJointOrders } from './orders.ts';
import { type Implausibility, implausible, moving, Plausibility } from './plausibility.ts';
import { sureness, sureText } from './sureness.ts';

/** What the doctor finds in a clip without body arrays, and the clip as it should be read. */
export interface RawFindings {
  readonly issues: readonly QaIssue[];
  readonly clip: ClipRows;
}

const ROOT = 7;
/** Another reading of the quaternions must be better by so much, and be so small a part of the file's own. Clean clips:
 *  0 to 0.41, with quaternions swapped 0.79 to 2. */
const TURN = { better: 0.3, part: 0.6 } as const;
/** Another order of the joints likewise; limits count in rad a frame. Clean clips: 0 to 0.41, permuted ones 0.02 to 2. */
const ORDER = { better: 0.012, part: 0.55 } as const;
/** Overlap likewise. Clean clips: at most 0.1 */
const OVERLAP = { better: 0.35, part: 0.4 } as const;
/** What a radian off the default pose counts. */
const DEFAULT_POSE = 0.03;
/** Of orders that do about as well, the most usual is meant. */
const AS_WELL = { part: 1.15, more: 0.0015 } as const;
/** Odd orders are searched where a usual one does better, and for clips that are as bad as this, or leave their limits
 *  by so many rad a frame. */
const ODD = { implausible: 0.5, limits: 0.005 } as const;
/** What a clip in the right order may be at most. Clean clips: 0.09, 0.22 where all of it lies on the floor; 0.31 */
const CLEAN = { moving: 0.2, overlap: 0.35 } as const;
/** A clip so far outside of its limits, in rad a frame, and of what bodies do is in some order that is not known. */
const UNKNOWN = { implausible: 0.2, limits: 0.05 } as const;
/** Less sure than this, another order is no error. */
const CERTAIN = 0.9;
/** Error of a right reading that sureness is reckoned with. */
const NOISE = 0.02;
/** Frames that limits are looked at. */
const LIMIT_SAMPLES = 200;
/** Share of them, the worst, that is left out: a defect is in places, another order is everywhere. */
const LEFT_OUT = 0.25;
/** Pairs of frames for a first look at odd orders, and how many of those are looked at again. */
const COARSE = 14;
const FINALISTS = 16;
/** Pairs of frames that readings are judged by. */
const PAIRS = 90;

/** Tells by what bodies can do (stand on the floor, not slide, keep to their limits, not pass through themselves)
 *  whether a clip's quaternions and joint columns are in the order that its format says.
 *  @param named whether the file names its joint columns: then only its quaternions are in question
 *  @param clip numbers finite, quaternions of unit length */
export function examineRaw(robot: ClipRobot, clip: ClipRows, named: boolean): RawFindings {
  const judge = judgeOf(robot);
  if (!judge.canJudge || clip.frames < 3) return { issues: [], clip };
  const turned = examineTurns(robot, clip, judge);
  const read = turned?.clip ?? clip;
  const ordered = named ? null : examineOrder(robot, read, judge);
  const frames: [number, number] = [0, clip.frames - 1];
  const issues = [turned?.issue, ordered?.issue].flatMap((issue) => (issue ? [{ ...issue, frames }] : []));
  return { issues, clip: ordered?.order ? permuted(read, robot.nq, ordered.order) : read };
}

/** Robots stay the same for a thread's life, and so do their orders. */
const judges = new WeakMap<ClipRobot, Plausibility>();

function judgeOf(robot: ClipRobot): Plausibility {
  const known = judges.get(robot) ?? new Plausibility(robot);
  judges.set(robot, known);
  return known;
}

function examineTurns(robot: ClipRobot, clip: ClipRows, judge: Plausibility) {
  const sample = samplePairs(clip, robot.nq);
  const own = judge.judge(sample);
  if (implausible(own) < TURN.better) return null;
  const found = judge.judge(turnedRows(sample, robot.nq));
  const [wrong, right] = [implausible(own), implausible(found)];
  if (wrong - right < TURN.better || right > TURN.part * wrong) return null;
  const issue: QaIssue = {
    ...{ kind: 'quaternion_order', severity: 'error', frames: [0, 0], fix: 'swap_quaternion' },
    text: `the quaternions are w x y z, the format has x y z w: read so, ${symptom(own, found)} (${sureText(sureness(wrong, right, NOISE))}).`,
    plot: { channels: ['root.rpy.roll', 'root.rpy.pitch', 'root.pos.z'], frame: 0 },
  };
  return { issue, clip: turnedRows(clip, robot.nq) };
}

/** Rows were made of columns taken for x y z w; taken for w x y z they are these. */
function turnedRows(clip: ClipRows, nq: number): ClipRows {
  const rows = Float64Array.from(clip.rows);
  for (let at = 3; at < rows.length; at += nq) {
    const q = clip.rows.subarray(at, at + 4);
    rows.set([q[1]!, q[2]!, q[3]!, q[0]!], at);
  }
  return { ...clip, rows };
}

function examineOrder(robot: ClipRobot, clip: ClipRows, judge: Plausibility) {
  const limits = limitCosts(robot, clip);
  const sample = samplePairs(clip, robot.nq);
  const usual = medians(sample, robot.nq);
  const own = robot.facts.joints.map((_, joint) => joint);
  const beyond = (order: readonly number[]) => order.reduce((sum, joint, column) => sum + limits[column]![joint]!, 0);
  const score = (order: readonly number[], samples?: number) => {
    const parts = judge.judge(permuted(sample, robot.nq, order), samples);
    const value = implausible(parts) + beyond(order) + DEFAULT_POSE * offDefault(robot, usual, order);
    return { parts, value, moving: moving(parts) + beyond(order) };
  };
  const read = score(own);
  if (read.value < ORDER.better) return null;
  const suspicious = implausible(read.parts) > ODD.implausible || beyond(own) > ODD.limits;
  const candidates = jointOrders(robot).map((known) => ({ known, ...score(known.order) }));
  const isBetter = (candidate: Scored) =>
    read.value - candidate.value > ORDER.better &&
    candidate.value < ORDER.part * read.value &&
    candidate.moving < CLEAN.moving &&
    candidate.parts.overlap < CLEAN.overlap &&
    (movesBetter(read, candidate) || overlapsLess(read, candidate));
  const best = () => candidates.filter(isBetter).reduce((least, { value }) => Math.min(least, value), Infinity);
  if (suspicious || best() < Infinity) candidates.push(...search(robot, beyond, score, read.value));
  const least = best();
  const outside = `joints are ${figure(beyond(own), 'rad')} a frame outside their limits`;
  if (least === Infinity) {
    if (implausible(read.parts) < UNKNOWN.implausible || beyond(own) < UNKNOWN.limits) return null;
    const issue: QaIssue = {
      ...{ kind: 'joint_order', severity: 'warning', frames: [0, 0], fix: null },
      text: `the joint columns seem to be in another order than the robot's, and in none that is known: ${outside}; name the columns in a header line.`,
      plot: { channels: worstChannels(robot, limits), frame: 0 },
    };
    return { issue, order: null };
  }
  const found = candidates.find(
    (candidate) => isBetter(candidate) && candidate.value <= AS_WELL.part * least + AS_WELL.more,
  )!;
  const names = found.known.order.map((joint) => robot.facts.joints[joint]!.name);
  const why = beyond(own) > 1e-3 ? outside : symptom(read.parts, found.parts);
  const sure = sureness(read.value, found.value, NOISE);
  const issue: QaIssue = {
    ...{
      kind: 'joint_order',
      severity: sure < CERTAIN ? 'warning' : 'error',
      frames: [0, 0],
      fix: fixText({ kind: 'reorder_joints', columns: names }),
    },
    text: `the joint columns come in ${found.known.name} order (${names.slice(0, 3).join(', ')}, …): read in the robot's, ${why} (${sureText(sure)}).`,
    plot: { channels: worstChannels(robot, limits), frame: 0 },
  };
  return { issue, order: found.known.order };
}

/** How implausible an order is: in all, and where it moves on the floor and within its limits. */
interface Scored {
  readonly known: KnownOrder;
  readonly parts: Implausibility;
  readonly value: number;
  readonly moving: number;
}

function movesBetter(read: Omit<Scored, 'known'>, candidate: Scored): boolean {
  return read.moving - candidate.moving > ORDER.better && candidate.moving < ORDER.part * read.moving;
}

/** Limbs that are inside each other nearly all the time tell of arms that the floor says nothing of. */
function overlapsLess(read: Omit<Scored, 'known'>, candidate: Scored): boolean {
  const [own, other] = [read.parts.overlap, candidate.parts.overlap];
  return own - other > OVERLAP.better && other < OVERLAP.part * own && candidate.moving < 1.05 * read.moving + 0.002;
}

/** rad by which joints are off their default in the usual frame: what tells orders apart that do equally well. */
function offDefault({ facts }: ClipRobot, usual: Float64Array, order: readonly number[]): number {
  return (
    order.reduce((sum, joint, column) => sum + Math.abs(usual[column]! - facts.joints[joint]!.default), 0) /
    order.length
  );
}

/** Median of each joint column. */
function medians({ frames, rows }: ClipRows, nq: number): Float64Array {
  const middle = Math.floor(frames / 2);
  return Float64Array.from(
    { length: nq - ROOT },
    (_, column) =>
      Float64Array.from({ length: frames }, (_unused, frame) => rows[frame * nq + ROOT + column]!).sort()[middle]!,
  );
}

/** Odd orders that do well: by limits, then by few frames, then by all. */
function search(
  robot: ClipRobot,
  beyond: (order: readonly number[]) => number,
  score: (order: readonly number[], samples?: number) => Omit<Scored, 'known'>,
  limit: number,
): Scored[] {
  return oddJointOrders(robot)
    .filter((known) => beyond(known.order) < ORDER.part * limit)
    .map((known, index) => ({ known, index, value: score(known.order, COARSE).value }))
    .sort((a, b) => a.value - b.value)
    .slice(0, FINALISTS)
    .sort((a, b) => a.index - b.index)
    .map(({ known }) => ({ known, ...score(known.order) }));
}

/** Pairs of neighbouring frames, spread over the clip: all that judging needs. */
function samplePairs({ fps, frames, rows }: ClipRows, nq: number): ClipRows {
  const pairs = Math.min(PAIRS, frames - 1);
  const out = new Float64Array(2 * pairs * nq);
  for (let k = 0; k < pairs; k++) {
    const frame = Math.floor((k * (frames - 1)) / pairs);
    out.set(rows.subarray(frame * nq, (frame + 2) * nq), 2 * k * nq);
  }
  return { fps, frames: 2 * pairs, rows: out };
}

/** What is most different between two readings, in words. */
function symptom(own: Implausibility, other: Implausibility): string {
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

/** rad a frame by which the values of each column leave the limits of each joint: (columns)(joints). */
function limitCosts({ facts, nq }: ClipRobot, { frames, rows }: ClipRows): Float64Array[] {
  const count = Math.min(LIMIT_SAMPLES, frames);
  const kept = Math.ceil((1 - LEFT_OUT) * count);
  const outside = new Float64Array(count);
  return facts.joints.map((_, column) =>
    Float64Array.from(facts.joints, ({ lower, upper }) => {
      for (let k = 0; k < count; k++) {
        const value = rows[Math.floor((k * frames) / count) * nq + ROOT + column]!;
        outside[k] = Math.max(0, (lower ?? -Infinity) - value, value - (upper ?? Infinity));
      }
      outside.sort();
      let sum = 0;
      for (let k = 0; k < kept; k++) sum += outside[k]!;
      return sum / kept;
    }),
  );
}

/** The clip with its columns given to the joints of `order`. */
function permuted(clip: ClipRows, nq: number, order: readonly number[]): ClipRows {
  const rows = Float64Array.from(clip.rows);
  for (let at = ROOT; at < rows.length; at += nq)
    for (let column = 0; column < order.length; column++) rows[at + order[column]!] = clip.rows[at + column]!;
  return { ...clip, rows };
}

function worstChannels({ facts }: ClipRobot, limits: readonly Float64Array[]): string[] {
  const sorted = facts.joints.map((_, joint) => joint).sort((a, b) => limits[b]![b]! - limits[a]![a]!);
  return sorted.slice(0, 3).map((joint) => `joint.${facts.joints[joint]!.name}`);
}
