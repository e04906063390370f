import { evaluationTask } from '../../evaluate/run-unit.ts';
import { NOMINAL } from '../../mdp/conditions/named-conditions.ts';
import { withCondition } from '../../mdp/conditions/with-condition.ts';
import { createEnvironments } from '../../mdp/env/create-environments.ts';
import type { Environments } from '../../mdp/environments.ts';
import { LIBRARY } from '../../mdp/library.ts';
import type { TaskConfig } from '../../mdp/task-config.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import { createPolicy } from '../../policy/create-policy.ts';
import type { PolicyWeights } from '../../policy/policy.ts';
import type { SelfTest } from '../../protocol/schemas/exports.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { MainModule } from '../../sim/mujoco.ts';
import type { Bundle } from '../layouts/bundle.ts';
import { runPolicy } from '../run-policy.ts';
import { type AnchorRule, BundleController } from './bundle-controller.ts';
import { compareValues } from './compare-values.ts';
import { readRobot } from './robot-reading.ts';

/** Maximum difference of actions, relative to the action, or absolute for actions below 1. */
const MOST_ACTION_DIFFERENCE = 1e-5;
/** Maximum relative difference of the tracked time. */
const MOST_TRACKED_DIFFERENCE = 0.02;

/** The robot and physics of a test. */
export interface TestParts {
  readonly mj: MainModule;
  /** bytes of the compiled robot (MJB) */
  readonly physics: Uint8Array;
  readonly facts: RobotFacts;
  /** a library that contains only the clip */
  readonly library: MotionLibrary;
  /** duration of the test, s; null: the whole clip */
  readonly seconds: number | null;
}

/** The run from which a bundle was exported. */
export interface TestedRun {
  /** the task as it was trained */
  readonly task: TaskConfig;
  readonly weights: PolicyWeights;
}

/** Compares a bundle with the policy of its run. First, the values in the files are compared by the names of the
 *  joints. Then both get the same states of a simulated robot, and their targets are compared joint by joint. Finally
 *  the bundle alone drives the robot, and its tracked time is compared with that of the run. */
export function testBundle(parts: TestParts, bundle: Bundle, run: TestedRun): SelfTest {
  const config = evaluationTask(withCondition(run.task, NOMINAL, parts.facts));
  const policy = runPolicy(config, parts.facts);
  const anchor = anchorRule(bundle, policy.anchor);
  const wrong = compareValues(bundle, policy, parts.library);
  const compared = compareActions(parts, bundle, { ...run, config, scale: policy.scale }, anchor);
  const tracked = trackedTime(parts, bundle, config, anchor);
  const stepS = policy.stepS;
  const runS = compared.steps * stepS;
  const trackedS = tracked.steps * stepS;
  const far = Math.abs(trackedS - runS) > MOST_TRACKED_DIFFERENCE * runS + 1e-9;
  const problems = [
    ...wrong,
    ...(compared.problem === null ? [] : [compared.problem]),
    ...(far ? [`the files track ${trackedS.toFixed(2)} s, the run ${runS.toFixed(2)} s${fallText(tracked)}`] : []),
  ];
  const good = `${bundle.joints.length} joints compared over ${runS.toFixed(2)} s: actions differ by at most ${compared.difference === 0 ? '0' : compared.difference.toExponential(1)}; the files track ${trackedS.toFixed(2)} s, the run ${runS.toFixed(2)} s`;
  return {
    ok: problems.length === 0,
    max_action_difference: compared.difference,
    tracked_s: round(trackedS),
    run_tracked_s: round(runS),
    text: problems.length === 0 ? good : problems.join('. '),
  };
}

/** Returns how the controller determines the anchor: Unitree's controllers compute the torso from the waist; the others
 *  know the pose of every body. */
export function anchorRule({ format }: Bundle, body: string): AnchorRule {
  return format === 'unitree' ? 'waist' : { body };
}

interface ComparedActions {
  /** number of control steps that the run tracked */
  readonly steps: number;
  readonly difference: number;
  /** sentence about the joint whose target differs first; null if none differs */
  readonly problem: string | null;
}

/** Drives the robot with the policy of the run. In every step, also computes the action of the bundle and compares
 *  both. */
function compareActions(
  parts: TestParts,
  bundle: Bundle,
  run: TestedRun & { readonly config: TaskConfig; readonly scale: readonly number[] },
  anchor: AnchorRule,
): ComparedActions {
  const { facts } = parts;
  const envs = environment(parts, run.config);
  const { state } = envs;
  const controller = new BundleController(bundle, anchor, facts);
  const policy = createPolicy(run.weights, 1);
  const observations = [...envs.observations.values()][0]!;
  const action = new Float32Array(envs.actionDim);
  const residual = run.config.actions.joint_pos.action_mode === 'reference_residual';
  const defaults = run.config.robot?.default_joint_pos ?? facts.joints.map((joint) => joint.default);
  const limits = run.config.actions.joint_pos.clip;
  const given = new Float64Array(envs.actionDim);
  let difference = 0;
  let problem: string | null = null;
  try {
    const steps = simulate(envs, parts, () => {
      policy.evaluate(observations.values, action, 1);
      const targets = controller.step(readRobot(state, facts), state.frame[0]!);
      for (const [j, { name }] of facts.joints.entries()) {
        const base = residual ? state.refJointPos[j]! : defaults[j]!;
        const own = limits ? Math.min(limits[1], Math.max(limits[0], action[j]!)) : action[j]!;
        const scale = run.scale[j]!;
        given[j] = base + scale * own;
        const other = scale === 0 ? own : (targets[j]! - base) / scale;
        const off = Math.abs(other - own) / Math.max(1, Math.abs(own));
        if (!(off <= difference)) difference = Number.isFinite(off) ? off : Number.MAX_VALUE;
        if (problem === null && !(off <= MOST_ACTION_DIFFERENCE))
          problem = `${name}: the action is ${other.toPrecision(4)} with the files and ${own.toPrecision(4)} with the run, at frame ${state.frame[0]}`;
      }
      controller.applied(given);
      return action;
    });
    return { steps, difference, problem };
  } finally {
    envs.delete();
  }
}

interface Tracked {
  readonly steps: number;
  /** name of the termination that ended the episode; null: it reached the end */
  readonly term: string | null;
}

/** Drives the robot with the bundle alone, using its gains, targets and joint order. */
export function trackedTime(parts: TestParts, bundle: Bundle, config: TaskConfig, anchor: AnchorRule): Tracked {
  const { facts } = parts;
  const byMotor = (values: readonly number[]) =>
    facts.joints.map(({ name }) => values[bundle.joints.indexOf(name)] ?? 0);
  const defaults = byMotor(bundle.defaultPos);
  const envs = environment(parts, {
    ...config,
    observations: {},
    rewards: {},
    actions: {
      joint_pos: {
        action_mode: 'default_relative',
        scale: facts.joints.map(() => 1),
        scale_factor: 1,
        clip: null,
      },
    },
    robot: {
      ...config.robot,
      stiffness: byMotor(bundle.stiffness),
      damping: byMotor(bundle.damping),
      default_joint_pos: defaults,
    },
  });
  const controller = new BundleController(bundle, anchor, facts);
  const action = new Float32Array(envs.actionDim);
  let term: string | null = null;
  envs.onEnd = () => {
    if (envs.terminated[0] === 1) term = envs.terminationNames[envs.cause[0]!] ?? 'a state that is not finite';
  };
  try {
    const steps = simulate(envs, parts, () => {
      const targets = controller.step(readRobot(envs.state, facts), envs.state.frame[0]!);
      for (const [j, target] of targets.entries()) action[j] = target - defaults[j]!;
      return action;
    });
    return { steps, term };
  } finally {
    envs.delete();
  }
}

function environment({ mj, physics, facts, library }: TestParts, config: TaskConfig): Environments {
  const envs = createEnvironments({ mj, physics, facts, config, library, terms: LIBRARY, n: 1, seed: 0 });
  envs.pin(0, 0, 0);
  return envs;
}

/** Steps the simulation until a failure or the end. @param act returns the action of the next step @returns number of
 *  steps before the failure */
function simulate(envs: Environments, { library, seconds }: TestParts, act: () => Float32Array): number {
  const most = library.clips[0]!.frames - 1;
  const steps = seconds === null ? most : Math.min(most, Math.max(1, Math.round(seconds / envs.stepS)));
  for (let step = 0; step < steps; step += 1) {
    envs.step(act());
    if (envs.terminated[0] === 1) return step;
  }
  return steps;
}

export function fallText({ term }: Tracked): string {
  return term === null ? '' : ` (ended by ${term})`;
}

function round(seconds: number): number {
  return Math.round(seconds * 1e4) / 1e4;
}
