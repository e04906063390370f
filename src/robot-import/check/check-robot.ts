import { messageOf } from '../../core/errors.ts';
import { threadMs } from '../../core/thread-time.ts';
import type { RobotSpec } from '../../protocol/schemas/robots.ts';
import { PosedModel, poseOf, readJoints, withinRange } from '../../robots/kinematics/posed-model.ts';
import type { RobotFiles } from '../../robots/prepare/model-files.ts';
import { prepareModel } from '../../robots/prepare/prepare-model.ts';
import { readFacts } from '../../robots/read-facts.ts';
import { assembleModel, compilePhysics } from '../../robots/robot-model.ts';
import { type MainModule, type MjModel, mujocoMessage } from '../../sim/mujoco.ts';
import { CHECK_NAMES, type Check, type CheckReport, failed, passed } from './check-report.ts';
import { compilableSpec, namesOf } from './compilable-spec.ts';
import { checkFeet } from './feet.ts';
import { checkGround, checkStands } from './ground.ts';
import { checkHangs, compileHanging } from './hang.ts';
import { HeldRobot } from './held-robot.ts';
import { checkSelfContact } from './self-contact.ts';
import { checkCollision, checkGains, checkJoints, checkMass, checkWiring } from './static-checks.ts';
import { watchStanding } from './watch-standing.ts';

/** Height above the floor at which only self-contacts are possible, m. */
const FAR_ABOVE = 1000;

export interface CheckLimits {
  /** time limit of all simulations together, without compilation, ms */
  readonly simulationMs?: number;
}

/** Checks a robot: compiles it with the same spec and files as a saved robot, checks its values, and simulates it. The
 *  simulations hold the default pose, in the air and on the floor.
 *
 *  Defects of the robot are reported as failed checks, never thrown. A check that cannot run fails with the reason.
 *  Call this function in a separate thread with a time limit, because MuJoCo may not return for a hostile model.
 *  @param files files of the robot's folder, as for buildRobotModel */
export function checkRobot(
  mj: MainModule,
  files: RobotFiles,
  spec: RobotSpec,
  { simulationMs = 6000 }: CheckLimits = {},
): CheckReport {
  const checks: Check[] = [];
  const owned: { delete(): void }[] = [];
  try {
    runChecks({ mj, files, spec, simulationMs, checks, owned });
  } catch (error) {
    checks.push(failed(firstMissing(checks), messageOf(error)));
  } finally {
    for (const handle of owned.reverse()) handle.delete();
  }
  const all = CHECK_NAMES.map((name) => checks.find((check) => check.name === name) ?? notMade(name));
  return { ok: all.every(({ ok }) => ok), checks: all };
}

interface CheckRun {
  readonly mj: MainModule;
  readonly files: RobotFiles;
  readonly spec: RobotSpec;
  readonly simulationMs: number;
  /** results of the checks so far; they are kept if a later check throws */
  readonly checks: Check[];
  /** MuJoCo handles to delete, in the order of their creation */
  readonly owned: { delete(): void }[];
}

function runChecks({ mj, files, spec, simulationMs, checks, owned }: CheckRun): void {
  const started = performance.now();
  const { spec: mjSpec, ...findings } = prepareModel(mj, files, spec.model);
  const { mimics } = findings;
  owned.push(mjSpec);
  const names = namesOf(mj, mjSpec);
  const compilable = compilableSpec(spec, names);
  const model = assembleModel(mj, mjSpec, compilable);
  owned.push(model);
  const robot = withDefaultsInRange(model, compilable);
  readFacts(model, robot); // throws for unsupported joints
  const physics = compilePhysics(mj, mjSpec, model, spec.model);
  owned.push(physics);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  checks.push(
    passed(
      'compiles',
      `in ${seconds} s: ${model.nbody - 1} bodies, ${model.nu} actuators, ${model.ngeom} shapes, ${model.nmesh} meshes`,
    ),
  );
  const posed = new PosedModel(mj, physics);
  owned.push(posed);
  const stated = new Map(Object.entries(robot.joints).map(([name, joint]) => [name, joint.default]));
  const pose = poseOf(posed.joints, stated, mimics);
  posed.pose(pose);
  checks.push(
    checkMass(posed),
    checkJoints(posed, spec, names, findings),
    checkGains(posed, spec),
    checkWiring(spec, names),
    checkCollision(physics, posed, robot.wiring.feet),
    ...floorChecks({ mj, physics, posed }, robot, pose, simulationMs / 2),
  );
  try {
    const hanging = compileHanging(mj, mjSpec);
    owned.push(hanging);
    checks.push(checkHangs(mj, hanging, pose, threadMs() + simulationMs / 2));
  } catch (error) {
    checks.push(failed('hangs', `cannot be simulated with its root fixed in the air: ${mujocoMessage(error)}`));
  }
}

function floorChecks(
  { mj, physics, posed }: { readonly mj: MainModule; readonly physics: MjModel; readonly posed: PosedModel },
  spec: RobotSpec,
  pose: ReadonlyMap<string, number>,
  simulationMs: number,
): Check[] {
  const lowest = posed.lowest();
  if (!Number.isFinite(lowest)) {
    const text = 'the robot has no collision shapes, so it falls through the floor';
    return [
      passed('self_contact', text),
      failed('ground', text),
      failed('feet', text),
      passed('stands', `0 s, ${text}`),
    ];
  }
  const deadline = threadMs() + simulationMs;
  const start = (z: number) => new HeldRobot(mj, physics, z, pose, deadline);
  const rootZ = posed.position(posed.tree.root)[2] - lowest;
  const standing = watchStanding(() => start(rootZ), rootZ);
  return [
    checkSelfContact(() => start(FAR_ABOVE), posed, spec),
    checkGround(standing, posed, spec),
    checkFeet(standing, posed, spec),
    checkStands(standing),
  ];
}

/** Clamps default positions to their ranges for the simulations. A separate check reports default poses out of
 *  range. */
function withDefaultsInRange(model: MjModel, spec: RobotSpec): RobotSpec {
  const ranges = new Map(readJoints(model).map((joint) => [joint.name, joint]));
  return {
    ...spec,
    joints: Object.fromEntries(
      Object.entries(spec.joints).map(([name, joint]) => {
        const range = ranges.get(name);
        return [name, range ? { ...joint, default: withinRange(range, joint.default) } : joint];
      }),
    ),
  };
}

function firstMissing(checks: readonly Check[]): Check['name'] {
  return CHECK_NAMES.find((name) => !checks.some((check) => check.name === name)) ?? 'compiles';
}

function notMade(name: Check['name']): Check {
  const text = 'not checked, because an earlier check failed';
  return name === 'stands' ? passed(name, `for 0 s: ${text}`) : failed(name, text);
}
