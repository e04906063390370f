import type { ClipRows } from '../../motion/clip-rows.ts';
import { LEAST_FRAMES } from '../../motion/fixes.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import { type ClipIssue, framesText, issuesOf, rangesWhere, withUnit } from './issue.ts';

const ROOT = 7;
const ROOT_CHANNELS = [
  'root.pos.x',
  'root.pos.y',
  'root.pos.z',
  'root.rpy.roll',
  'root.rpy.roll',
  'root.rpy.roll',
  'root.rpy.roll',
];
/** Tolerance of |‖q‖ − 1|. It allows numbers with six decimals, float32 and rounding. Largest value in clean clips:
 *  9e-7 */
const UNIT_TOLERANCE = 1e-3;
/** Kinds of the issues that `checkData` reports. */
export const NOT_FINITE = { kind: 'not_finite', version: 1 } as const;

/** Share of bad frames above which the other checks do not run. */
const MOSTLY_BAD = 0.5;

/** Result of `checkData`: the issues, and a clip that the other checks can use. Frames with numbers that are not finite
 *  are interpolated, and quaternions have unit length. The clip is null if too few frames are finite. */
export interface Sound {
  readonly clip: ClipRows | null;
  readonly issues: readonly ClipIssue[];
}

/** Checks the numbers of a clip: they must be finite, quaternions must have unit length, and the clip must have enough
 *  frames. */
export function checkData(facts: RobotFacts, clip: ClipRows): Sound {
  const { frames, rows } = clip;
  const width = ROOT + facts.joints.length;
  const bad = new Uint8Array(frames);
  const columns = new Set<number>();
  let values = 0;
  for (let k = 0; k < rows.length; k++)
    if (!Number.isFinite(rows[k]!)) {
      bad[Math.floor(k / width)] = 1;
      columns.add(k % width);
      values += 1;
    }
  const norm = (frame: number) => Math.hypot(...rows.subarray(frame * width + 3, frame * width + 7));
  const offUnit = rangesWhere(frames, (frame) => {
    const off = bad[frame] ? 0 : Math.abs(norm(frame) - 1);
    return off > UNIT_TOLERANCE ? off : 0;
  });
  const share = bad.reduce((sum, flag) => sum + flag, 0) / frames;
  const notFinite = rangesWhere(frames, (frame) => bad[frame]!, { gap: 5 });
  const issues: ClipIssue[] = [];
  if (frames < LEAST_FRAMES)
    issues.push({
      ...{ kind: 'not_finite', severity: 'error', frames: [0, Math.max(0, frames - 1)], fix: null },
      text: `the clip has ${frames} ${frames === 1 ? 'frame' : 'frames'}; velocities need at least ${LEAST_FRAMES}.`,
      plot: { channels: ['root.pos.z'], frame: 0 },
    });
  issues.push(
    ...issuesOf('not_finite', notFinite, (range) => {
      const names = [...columns].map((column) => channelOf(facts, column));
      const shown = [...new Set(names)];
      return {
        severity: 'error',
        text: `${values} ${values === 1 ? 'value is' : 'values are'} not finite numbers, in ${withUnit(100 * share, '%', share < 0.01 ? 2 : 0)} of the frames; here ${framesText(range)}, of ${shown.slice(0, 3).join(', ')}${shown.length > 3 ? ` and ${shown.length - 3} more` : ''}`,
        channels: shown.slice(0, 4),
      };
    }),
    ...issuesOf('not_finite', offUnit, (range) => ({
      severity: 'error',
      text: `the root's quaternion is ${withUnit(norm(range.at), 'long', 4)} at frame ${range.at} instead of 1 (tolerated: ${UNIT_TOLERANCE})`,
      channels: ['root.rpy.roll', 'root.rpy.pitch', 'root.rpy.yaw'],
      fix: norm(range.at) > UNIT_TOLERANCE ? 'normalize_quaternion' : null,
    })),
  );
  const usable = frames >= LEAST_FRAMES && share <= MOSTLY_BAD;
  return { clip: usable ? (issues.length === 0 ? clip : repaired(clip, width, bad)) : null, issues };
}

function channelOf(facts: RobotFacts, column: number): string {
  return ROOT_CHANNELS[column] ?? `joint.${facts.joints[column - ROOT]!.name}`;
}

function repaired({ fps, frames, rows }: ClipRows, width: number, bad: Uint8Array): ClipRows {
  const out = Float64Array.from(rows);
  const good: number[] = [];
  for (let frame = 0; frame < frames; frame++) if (!bad[frame]) good.push(frame);
  let next = 0;
  for (let frame = 0; frame < frames; frame++) {
    if (!bad[frame]) {
      next += 1;
      continue;
    }
    const before = good[next - 1] ?? good[next]!;
    const after = good[next] ?? before;
    const u = after === before ? 0 : (frame - before) / (after - before);
    const sign = opposite(rows, before * width + 3, after * width + 3) ? -1 : 1;
    for (let k = 0; k < width; k++) {
      const target = (k >= 3 && k < 7 ? sign : 1) * rows[after * width + k]!;
      out[frame * width + k] = rows[before * width + k]! * (1 - u) + target * u;
    }
  }
  for (let frame = 0; frame < frames; frame++) {
    const q = out.subarray(frame * width + 3, frame * width + 7);
    const norm = Math.hypot(...q);
    if (norm > UNIT_TOLERANCE) for (let k = 0; k < 4; k++) q[k] = q[k]! / norm;
    else q.set([1, 0, 0, 0]);
  }
  return { fps, frames, rows: out };
}

function opposite(rows: Float64Array, a: number, b: number): boolean {
  return (
    rows[a]! * rows[b]! + rows[a + 1]! * rows[b + 1]! + rows[a + 2]! * rows[b + 2]! + rows[a + 3]! * rows[b + 3]! < 0
  );
}
