import type { QaSettings } from '../../core/settings.ts';
import type { ClipRobot } from '../../motion/clip-robot.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import { qposOf } from '../../robots/robot-facts.ts';
import { checkData } from './data-checks.ts';
import { checkGround } from './ground-checks.ts';
import type { ClipIssue } from './issue.ts';
import { checkJoints } from './joint-checks.ts';
import { measureClip } from './measure-clip.ts';
import { checkSelfCollision } from './self-collision.ts';
import { checkSteps } from './step-checks.ts';
import { qaThresholds } from './thresholds.ts';
import { checkTilt } from './tilt-check.ts';

const RANK = { error: 0, warning: 1, info: 2 } as const;

/** Everything that can be seen in a clip as it is. The worst comes first. A minute takes some 0.1 s.
 *  @param clip numbers may be not finite, quaternions not of unit length
 *  @param settings thresholds that differ from the defaults */
export function runClipChecks(robot: ClipRobot, clip: ClipRows, settings: QaSettings = {}): ClipIssue[] {
  const { facts } = robot;
  const thresholds = qaThresholds(settings);
  const sound = checkData(facts, clip);
  if (!sound.clip) return [...sound.issues];
  const measures = measureClip(robot, sound.clip);
  const steps = checkSteps(facts, sound.clip, thresholds);
  const turnJumps = steps.filter(isTurnJump).map((issue) => issue.frames);
  return sortIssues([
    ...sound.issues,
    ...checkJoints(facts, sound.clip, thresholds),
    ...steps,
    ...checkGround(facts, sound.clip, measures, thresholds),
    ...checkTilt(sound.clip, measures, standingCom(robot), turnJumps, thresholds),
    ...checkSelfCollision(robot, sound.clip, thresholds),
  ]);
}

function isTurnJump({ kind, plot }: ClipIssue): boolean {
  return kind === 'jump' && plot.channels[0] === 'root.rpy.roll';
}

export function sortIssues(issues: readonly ClipIssue[]): ClipIssue[] {
  return [...issues].sort((a, b) => RANK[a.severity] - RANK[b.severity] || a.frames[0]! - b.frames[0]!);
}

/** m, height of the centre of mass in the default pose. */
function standingCom(robot: ClipRobot): number {
  const { mj, model, data, facts } = robot;
  robot.views.qpos.set(
    qposOf(
      facts.rootHeight,
      facts.joints.map((joint) => joint.default),
    ),
  );
  mj.mj_kinematics(model, data);
  mj.mj_comPos(model, data);
  return robot.views.subtreeCom[5]!;
}
