import type { ClipRobot } from '../../motion/clip-robot.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import { fixText } from '../../motion/fixes.ts';
import { type ClipIssue, withUnit } from '../clip/issue.ts';
import { CERTAIN, confidence, confidenceText, PROPOSED } from './confidence.ts';
import { jointOrders, type KnownOrder, oddJointOrders } from './orders.ts';
import { type Implausibility, implausible, moving, Plausibility } from './plausibility.ts';
import { findRootReading, isRight, symptom } from './readings.ts';

/** Layout issues of a raw clip, which has no body arrays, and the clip as it should be read. */
export interface RawFindings {
  readonly issues: readonly ClipIssue[];
  readonly clip: ClipRows;
  /** true if a problem remains unresolved, so that the motion is not a reliable measure of the frame rate */
  readonly doubtful: boolean;
}

const ROOT = 7;
/** Another order of the joints must be better than the file's own by this difference (`better`) and this ratio
 *  (`part`). Excess over joint limits counts in rad per frame. Clean clips: 0 to 0.41, permuted ones 0.02 to 2. */
const ORDER = { better: 0.012, part: 0.55 } as const;
/** The same for overlap. Clean clips: at most 0.1 */
const OVERLAP = { better: 0.35, part: 0.4 } as const;
/** Degrees are considered if, in the best order, joints are at least this far (`own`, rad per frame) outside their
 *  limits. Read as degrees, at most this share (`part`) of the excess may remain. */
const DEGREES = { own: 1, part: 0.02 } as const;
/** Weight of the mean distance from the default pose, per rad. */
const DEFAULT_POSE = 0.03;
/** Odd orders are not searched if an order of simulators reduces the file's own value to this share. */
const PLAIN = 0.25;
/** Likelihood of an order. `rarity`: factor per step of its rarity. `value` and `part` · best: scale of being more
 *  implausible than the best order. `off`: scale, rad, of being farther from the default pose, on average, than the
 *  nearest order. `none`: likelihood that the file has none of the orders. */
const LIKELY = { rarity: 0.2, value: 0.006, part: 0.15, off: 0.03, none: 0.005 } as const;
/** rad: columns that differ by less, on average, are interchangeable. */
const ALIKE = 0.005;
/** Another order is mentioned if its likelihood is more than this share of the best one's. */
const RIVAL = 0.1;
/** Uncommon joint orders are tried if a common order fits better than the order of the file, or if the clip exceeds one
 *  of these thresholds: implausibility, or mean excess over the joint limits in rad per frame. */
const ODD = { implausible: 0.5, limits: 0.005 } as const;
/** Upper bounds for a clip in the right order. Clean clips: `moving` 0.09, or 0.22 if the robot lies all the time;
 *  `overlap` 0.31 */
const CLEAN = { moving: 0.2, overlap: 0.35 } as const;
/** If even the best joint order is at least this implausible (0..1) and exceeds the joint limits by at least this
 *  much (rad per frame), the order is reported as unknown. */
const UNKNOWN = { implausible: 0.2, limits: 0.05 } as const;
/** Error of a right reading, passed to `confidence`. */
const NOISE = 0.02;
/** Maximum number of frames for which joint limits are checked. */
const LIMIT_SAMPLES = 200;
/** Share of the worst frames that is ignored: a defect affects some frames, a wrong order of columns all of them. */
const LEFT_OUT = 0.25;
/** Number of pairs of frames for the first scoring of unusual orders, and number of the best orders that are scored
 *  again. */
const COARSE = 14;
const FINALISTS = 16;
/** Maximum number of pairs of frames by which readings are judged. */
const PAIRS = 90;

/** Checks order and units of a clip's root and joint columns by plausibility: robots stand on the floor, do not slide,
 *  respect their joint limits and do not pass through themselves.
 *  @param named the file names its joint columns, so their order is not checked
 *  @param clip numbers are finite, quaternions of unit length */
export function checkRawLayout(robot: ClipRobot, clip: ClipRows, named: boolean): RawFindings {
  const judge = judgeOf(robot);
  if (!judge.canJudge || clip.frames < 3) return { issues: [], clip, doubtful: false };
  const inDegrees = checkDegrees(robot, clip);
  const angles = inDegrees?.clip ?? clip;
  const root = findRootReading(robot, angles, samplePairs(angles, robot.nq), judge);
  const orderOf = (read: ClipRows) => (named ? null : checkJointOrder(robot, read, judge));
  const heads = inDegrees ? [inDegrees.issue] : [];
  if (root && root.issues.length > 0) {
    // Wrong joints can also disturb the reading of the root, so either both are resolved or neither.
    const ordered = orderOf(root.clip);
    const order = ordered?.order;
    const arranged = order ? permuted(angles, robot.nq, order) : angles;
    const both = order ? findRootReading(robot, arranged, samplePairs(arranged, robot.nq), judge) : root;
    if (isSettled(ordered) && both && isRight(both.value)) {
      const proposed = both.issues.every((issue) => issue.fix !== null);
      return {
        issues: [...heads, ...both.issues, ...(ordered ? [ordered.issue] : [])],
        clip: proposed ? both.clip : arranged,
        doubtful: !proposed,
      };
    }
  }
  const ordered = orderOf(angles);
  return {
    issues: [...heads, ...(ordered ? [ordered.issue] : [])],
    clip: ordered?.order ? permuted(angles, robot.nq, ordered.order) : angles,
    doubtful: root !== null || !isSettled(ordered),
  };
}

function isSettled(ordered: { order: unknown } | null): boolean {
  return ordered === null || ordered.order !== null;
}

/** Cache of one `Plausibility` per robot. */
const judges = new WeakMap<ClipRobot, Plausibility>();

function judgeOf(robot: ClipRobot): Plausibility {
  const known = judges.get(robot) ?? new Plausibility(robot);
  judges.set(robot, known);
  return known;
}

/** Finds joint columns that exceed their limits as radians and respect them as degrees. */
function checkDegrees(robot: ClipRobot, clip: ClipRows) {
  const { nq } = robot;
  const rows = Float64Array.from(clip.rows);
  for (let at = 0; at < rows.length; at += nq)
    for (const [joint, { type }] of robot.facts.joints.entries())
      if (type === 'hinge') rows[at + ROOT + joint] = (rows[at + ROOT + joint]! * Math.PI) / 180;
  const read = { ...clip, rows };
  const [own, found] = [clip, read].map((each) => anyOrderBeyond(limitCosts(robot, each)));
  if (own! < DEGREES.own || found! > DEGREES.part * own!) return null;
  const worst = worstChannels(robot, limitCosts(robot, clip));
  const issue: ClipIssue = {
    ...{ kind: 'joint_limit', severity: 'error', frames: [0, clip.frames - 1], fix: fixText({ kind: 'degrees' }) },
    text: `the joint columns are in degrees, but the format has radians: read as radians, the joints exceed their limits by ${withUnit(own!, 'rad')} in each frame (${confidenceText(confidence(own!, found!, NOISE))}).`,
    plot: { channels: worst, frame: 0 },
  };
  return { issue, clip: read };
}

/** Returns the excess over joint limits, rad per frame, if each column belonged to the joint that fits it best. */
function anyOrderBeyond(limits: readonly Float64Array[]): number {
  return limits.reduce((sum, column) => sum + Math.min(...column), 0);
}

/** Finds the order of the joint columns.
 *  @returns null if the robot's own order is right; `order` is null if no other order is likely enough */
function checkJointOrder(robot: ClipRobot, clip: ClipRows, judge: Plausibility) {
  const frames: [number, number] = [0, clip.frames - 1];
  const limits = limitCosts(robot, clip);
  const sample = samplePairs(clip, robot.nq);
  const usual = medians(sample, robot.nq);
  const beyond = (order: readonly number[]) => order.reduce((sum, joint, column) => sum + limits[column]![joint]!, 0);
  const score = (order: readonly number[], samples?: number) => {
    const parts = judge.judge(permuted(sample, robot.nq, order), samples);
    const off = offDefault(robot, usual, order);
    const value = implausible(parts) + beyond(order) + DEFAULT_POSE * off;
    return { parts, value, off, moving: moving(parts) + beyond(order) };
  };
  const own = beyond(robot.facts.joints.map((_, joint) => joint));
  const read = score(robot.facts.joints.map((_, joint) => joint));
  if (read.value < ORDER.better) return null;
  const better = betterOrders(robot, { read, own, beyond, score });
  const plot = { channels: worstChannels(robot, limits), frame: 0 };
  const outside = `the joints exceed their limits by ${withUnit(own, 'rad')} in each frame`;
  if (better.length === 0) {
    if (implausible(read.parts) < UNKNOWN.implausible || own < UNKNOWN.limits) return null;
    const text = `the joint columns seem to be in an unknown order, not that of the robot: ${outside}. Name the columns in a header line.`;
    const issue: ClipIssue = { kind: 'joint_order', severity: 'warning', frames, fix: null, text, plot };
    return { issue, order: null };
  }
  const ranked = rankOrders(better);
  const [found, rival] = distinctReadings(ranked, alikeColumns(sample, robot.nq)) as [Ranked, Ranked | undefined];
  const total = distinctOrders(ranked).reduce<number>((sum, { likely }) => sum + likely, LIKELY.none);
  const sure = confidence(read.value, found.value, NOISE) * (found.likely / total);
  const names = namesOf(robot, found.known);
  const why = own > 1e-3 ? outside : symptom(read.parts, found.parts);
  const other =
    rival && rival.likely > RIVAL * found.likely
      ? `; ${rival.known.name} (${namesOf(robot, rival.known).slice(0, 3).join(', ')}, …) would do nearly as well`
      : '';
  const issue: ClipIssue = {
    ...{ kind: 'joint_order', severity: sure < CERTAIN ? 'warning' : 'error', frames, plot },
    fix: sure < PROPOSED ? null : fixText({ kind: 'reorder_joints', columns: names }),
    text: `the joint columns ${sure < PROPOSED ? 'may be' : 'are'} in ${found.known.name} order (${names.slice(0, 3).join(', ')}, …): read in the robot's order, ${why} (${confidenceText(sure)}${other}).`,
  };
  return { issue, order: sure < PROPOSED ? null : found.known.order };
}

function namesOf({ facts }: ClipRobot, { order }: KnownOrder): string[] {
  return order.map((joint) => facts.joints[joint]!.name);
}

/** Scores orders of one clip. */
interface OrderJudge {
  /** score of the robot's own order */
  readonly read: Omit<Scored, 'known'>;
  /** excess over joint limits in the robot's own order, rad per frame */
  readonly own: number;
  readonly beyond: (order: readonly number[]) => number;
  readonly score: (order: readonly number[], samples?: number) => Omit<Scored, 'known'>;
}

/** Returns the known orders that explain the clip clearly better than the robot's own. */
function betterOrders(robot: ClipRobot, { read, own, beyond, score }: OrderJudge): Scored[] {
  const candidates = jointOrders(robot).map((known) => ({ known, ...score(known.order) }));
  const isBetter = (candidate: Scored) =>
    read.value - candidate.value > ORDER.better &&
    candidate.value < ORDER.part * read.value &&
    candidate.moving < CLEAN.moving &&
    candidate.parts.overlap < CLEAN.overlap &&
    (movesBetter(read, candidate) || overlapsLess(read, candidate));
  const suspicious = implausible(read.parts) > ODD.implausible || own > ODD.limits;
  const plain = candidates.some(
    (candidate) => candidate.known.rarity === 0 && isBetter(candidate) && candidate.value < PLAIN * read.value,
  );
  if (!plain && (suspicious || candidates.some(isBetter))) candidates.push(...search(robot, beyond, score, read.value));
  return candidates.filter(isBetter);
}

/** Sorts orders by likelihood, most likely first. */
function rankOrders(better: readonly Scored[]): Ranked[] {
  const least = Math.min(...better.map(({ value }) => value));
  const nearest = Math.min(...better.map(({ off }) => off));
  return better
    .map((candidate) => ({
      ...candidate,
      likely:
        LIKELY.rarity ** candidate.known.rarity *
        Math.exp((least - candidate.value) / (LIKELY.value + LIKELY.part * least)) *
        Math.exp((nearest - candidate.off) / LIKELY.off),
    }))
    .sort((a, b) => b.likely - a.likely);
}

/** Scores of an order: `value` is the total implausibility, `moving` includes only contact with the floor and joint
 *  limits. */
interface Scored {
  readonly known: KnownOrder;
  readonly parts: Implausibility;
  readonly value: number;
  readonly moving: number;
  /** mean distance of the joints from the default pose, rad */
  readonly off: number;
}

interface Ranked extends Scored {
  /** relative likelihood, not normalised */
  readonly likely: number;
}

/** Removes duplicates: the search may find a usual order again. */
function distinctOrders(ranked: readonly Ranked[]): Ranked[] {
  const seen = new Set<string>();
  return ranked.filter(({ known }) => !seen.has(known.order.join()) && seen.add(known.order.join()));
}

/** Merges orders that give the same reading, because joints that move in the same way are interchangeable. Each
 *  reading has its likeliest order and the sum of the likelihoods. The likeliest reading comes first. */
function distinctReadings(ranked: readonly Ranked[], alike: readonly (readonly boolean[])[]): Ranked[] {
  const readings: { readonly first: Ranked; likely: number }[] = [];
  for (const candidate of distinctOrders(ranked)) {
    const same = readings.find(({ first }) => readsTheSame(first.known.order, candidate.known.order, alike));
    if (same) same.likely += candidate.likely;
    else readings.push({ first: candidate, likely: candidate.likely });
  }
  return readings.map(({ first, likely }) => ({ ...first, likely })).sort((a, b) => b.likely - a.likely);
}

function readsTheSame(a: readonly number[], b: readonly number[], alike: readonly (readonly boolean[])[]): boolean {
  const columns: number[] = [];
  for (const [column, joint] of b.entries()) columns[joint] = column;
  return a.every((joint, column) => alike[column]![columns[joint]!]);
}

/** Returns for each pair of columns whether their numbers are nearly equal: (columns)(columns). */
function alikeColumns({ frames, rows }: ClipRows, nq: number): boolean[][] {
  const joints = nq - ROOT;
  const apart = (a: number, b: number) => {
    let sum = 0;
    for (let at = ROOT; at < rows.length; at += nq) sum += Math.abs(rows[at + a]! - rows[at + b]!);
    return sum / frames;
  };
  return Array.from({ length: joints }, (_, a) => Array.from({ length: joints }, (_unused, b) => apart(a, b) < ALIKE));
}

function movesBetter(read: Omit<Scored, 'known'>, candidate: Scored): boolean {
  return read.moving - candidate.moving > ORDER.better && candidate.moving < ORDER.part * read.moving;
}

/** Returns true if an order clearly reduces overlap. Overlapping limbs reveal permuted arms, which contact with the
 *  floor does not. */
function overlapsLess(read: Omit<Scored, 'known'>, candidate: Scored): boolean {
  const [own, other] = [read.parts.overlap, candidate.parts.overlap];
  return own - other > OVERLAP.better && other < OVERLAP.part * own && candidate.moving < 1.05 * read.moving + 0.002;
}

/** Returns the mean distance, rad, of the joints' medians from the default pose. It distinguishes orders that are
 *  equally plausible. */
function offDefault({ facts }: ClipRobot, usual: Float64Array, order: readonly number[]): number {
  return (
    order.reduce((sum, joint, column) => sum + Math.abs(usual[column]! - facts.joints[joint]!.default), 0) /
    order.length
  );
}

/** Returns the median of each joint column. */
function medians({ frames, rows }: ClipRows, nq: number): Float64Array {
  const middle = Math.floor(frames / 2);
  return Float64Array.from(
    { length: nq - ROOT },
    (_, column) =>
      Float64Array.from({ length: frames }, (_unused, frame) => rows[frame * nq + ROOT + column]!).sort()[middle]!,
  );
}

/** Returns the best unusual orders: filtered by joint limits, then scored on few frames, then on all samples. */
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

/** Returns pairs of neighbouring frames spread over the clip, as `Plausibility` needs them. */
function samplePairs({ fps, frames, rows }: ClipRows, nq: number): ClipRows {
  const pairs = Math.min(PAIRS, frames - 1);
  const out = new Float64Array(2 * pairs * nq);
  for (let k = 0; k < pairs; k++) {
    const frame = Math.floor((k * (frames - 1)) / pairs);
    out.set(rows.subarray(frame * nq, (frame + 2) * nq), 2 * k * nq);
  }
  return { fps, frames: 2 * pairs, rows: out };
}

/** Returns by how much the values of each column exceed the limits of each joint, rad per frame: (columns)(joints). */
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

/** Returns the clip with its columns assigned to the joints of `order`. */
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
