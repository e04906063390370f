import { readFile } from 'node:fs/promises';
import { badInput, StudioError } from '../core/errors.ts';
import { evaluationTask } from '../evaluate/run-unit.ts';
import { NOMINAL } from '../mdp/conditions/named-conditions.ts';
import { withCondition } from '../mdp/conditions/with-condition.ts';
import type { TaskConfig, TerminationTermConfig } from '../mdp/task-config.ts';
import { baseTasks } from '../mdp/tasks/base-tasks.ts';
import type { ClipRobotSource } from '../motion/clip-robot.ts';
import type { SelfTest } from '../protocol/schemas/exports.ts';
import { physicsOn } from '../robots/uneven-ground.ts';
import { loadMujoco } from '../sim/mujoco.ts';
import { type ExportedRun, readExported } from './export-bundle.ts';
import { BUNDLE_FILE, type BundleRecord, parseRecord } from './exports-folder.ts';
import { BundleArchive } from './layouts/bundle-archive.ts';
import { readBundle } from './layouts/read-bundle.ts';
import { bundleLibrary, poseProblems } from './selftest/bundle-poses.ts';
import { anchorRule, fallText, testBundle, trackedTime } from './selftest/self-test.ts';

/** Duration of the test of an uploaded bundle, s. */
const SECONDS = 10;

/** Reads the record `bundle.json` of a zipped bundle; returns null if it has none. @throws StudioError bad_input for an
 *  unsafe or damaged zip file */
export async function readBundleRecord(zip: string): Promise<BundleRecord | null> {
  const archive = await BundleArchive.unzip(zip);
  const file = archive.only(BUNDLE_FILE);
  return file === null ? null : parseRecord(archive.bytes(file));
}

/** Tests a zipped bundle on a robot. @param run the run from which the bundle was exported; null: the bundle is tested
 *  without its run @returns a failed test if the files do not match the robot @throws StudioError bad_input for an
 *  unsafe or damaged zip file */
export async function checkBundle(zip: string, robot: ClipRobotSource, run: ExportedRun | null): Promise<SelfTest> {
  const archive = await BundleArchive.unzip(zip);
  try {
    return await (run ? testBeside(archive, robot, run) : testAlone(archive, robot));
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return { ok: false, max_action_difference: null, tracked_s: null, run_tracked_s: null, text: error.message };
  }
}

async function testBeside(archive: BundleArchive, robot: ClipRobotSource, order: ExportedRun): Promise<SelfTest> {
  const { facts, physicsPath } = robot;
  const bundle = await readBundle(archive, facts);
  const { task, weights, clip: library } = await readExported(order);
  const physics = await readFile(physicsOn(physicsPath, task.scene.terrain.type));
  return testBundle({ mj: await loadMujoco(), physics, facts, library, seconds: SECONDS }, bundle, { task, weights });
}

/** Tests a bundle without its run: whether its joints move the bodies as its clip states, and how long it tracks the
 *  clip until a termination of whole_body_tracking. */
async function testAlone(archive: BundleArchive, robot: ClipRobotSource): Promise<SelfTest> {
  const { facts, physicsPath } = robot;
  const bundle = await readBundle(archive, facts);
  const unknown = bundle.joints.filter((name) => !facts.joints.some((joint) => joint.name === name));
  if (unknown.length > 0 || bundle.joints.length !== facts.joints.length)
    throw badInput(
      `the bundle has ${bundle.joints.length} joints, but ${facts.name} has ${facts.joints.length}${unknown.length > 0 ? `; ${facts.name} has no ${unknown[0]}` : ''}. Select its robot`,
    );
  const library = await bundleLibrary(bundle, robot);
  const problems = poseProblems(bundle, library, facts);
  const anchor = facts.wiring.anchor;
  const [base] = baseTasks(facts);
  const task = { ...base!.config, terminations: terminationsOf(base!.config.commands.motion.ee_body_names) };
  const config = evaluationTask(withCondition(task, NOMINAL, facts));
  const rule = anchorRule(bundle, bundle.anchor ?? anchor);
  const parts = { mj: await loadMujoco(), physics: await readFile(physicsPath), facts, library, seconds: SECONDS };
  const tracked = trackedTime(parts, bundle, config, rule);
  const seconds = tracked.steps * bundle.stepS;
  const all = [
    ...problems,
    ...(tracked.term === null ? [] : [`the files track ${seconds.toFixed(2)} s${fallText(tracked)}`]),
  ];
  return {
    ok: all.length === 0,
    max_action_difference: null,
    tracked_s: seconds,
    run_tracked_s: null,
    text:
      all.length === 0
        ? `tracks ${seconds.toFixed(2)} s of its clip. Its run is not in this workspace, so its actions were not compared`
        : all.join('. '),
  };
}

/** The terminations of whole_body_tracking: limits for the height error of the anchor and of the end effectors, m, and
 *  for the tilt error of the anchor. */
function terminationsOf(endEffectors: readonly string[]): TaskConfig['terminations'] {
  const failure = (func: string, params: TerminationTermConfig['params']) => ({ func, time_out: false, params });
  return {
    anchor_pos: failure('bad_anchor_pos_z_only', { threshold: 0.5 }),
    anchor_ori: failure('bad_anchor_ori', { threshold: 0.8 }),
    ee_body_pos: failure('bad_motion_body_pos_z_only', { threshold: 0.5, body_names: endEffectors }),
  };
}
