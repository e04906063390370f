import { type MainModule, type MjModel, type MjSpec, type MjsBody, mujocoMessage } from '../../sim/mujoco.ts';
import { children } from '../../sim/spec-elements.ts';
import { angle, shortList, threeDigits } from '../number-text.ts';
import { type Check, failed, passed, warned } from './check-report.ts';
import { HeldRobot, NO_DRIFT, TooSlow } from './held-robot.ts';

/** Duration of PD control with the base fixed, s, and the share at its end during which the robot must be at rest. */
const DURATION = 1.5;
const LATE = 0.2;
/** Limits of the measured values. Good robots stay below half of them. */
const LIMIT = {
  /** deviation of a joint, as a share of the deviation at which it is considered not held */
  drift: { fail: 1, warn: 0.5 },
  /** speed limits, rad/s (m/s): `lateSpeed` in the last fifth, `speed` at any time */
  lateSpeed: 3,
  speed: 20,
  /** limit of the share of motors and steps that are saturated */
  saturation: 0.05,
} as const;
/** Height of the fixed root, m, at which the robot cannot reach the floor. */
const HANGING_HEIGHT = 20;

/** Compiles the robot with its root fixed in the air. @param mjSpec is changed */
export function compileHanging(mj: MainModule, mjSpec: MjSpec): MjModel {
  const world = mj.mjs_findBody(mjSpec, 'world')!;
  const root = mj.mjs_asBody(children(mj, world, mj.mjtObj.mjOBJ_BODY)[0]!)!;
  for (const joint of children(mj, root, mj.mjtObj.mjOBJ_JOINT)) mj.mjs_delete(mjSpec, joint);
  root.pos.set([0, 0, HANGING_HEIGHT]);
  root.quat.set([1, 0, 0, 0]);
  excludeNeighbours(mj, mjSpec, root);
  return mj.mj_compile(mjSpec);
}

/** Excludes contacts between the root and the moving bodies attached to it. MuJoCo excludes contacts between parent and
 *  child itself, but not if the parent is fixed to the world, as the root is here. */
function excludeNeighbours(mj: MainModule, mjSpec: MjSpec, root: MjsBody): void {
  const { mjOBJ_BODY, mjOBJ_JOINT } = mj.mjtObj;
  const below = (body: MjsBody) => children(mj, body, mjOBJ_BODY).map((element) => mj.mjs_asBody(element)!);
  const isFixed = (body: MjsBody) => children(mj, body, mjOBJ_JOINT).length === 0;
  const rigid = (body: MjsBody): MjsBody[] => [body, ...below(body).filter(isFixed).flatMap(rigid)];
  const trunk = rigid(root);
  const moving = trunk.flatMap((body) => below(body).filter((child) => !isFixed(child)));
  for (const { element: first } of trunk) {
    for (const { element: second } of moving.flatMap(rigid)) {
      const pair = mj.mjs_addExclude(mjSpec)!;
      pair.bodyname1 = mj.mjs_getName(first);
      pair.bodyname2 = mj.mjs_getName(second);
    }
  }
}

/** Simulates holding the default pose with the base fixed. Servos that fail here cannot hold the robot in any
 *  situation. */
export function checkHangs(
  mj: MainModule,
  model: MjModel,
  defaults: ReadonlyMap<string, number>,
  deadline: number,
): Check {
  if (model.nu === 0) return failed('hangs', 'the robot has 0 motors. Add gains of its joints to the spec');
  let robot: HeldRobot | null = null;
  const steps = Math.round(DURATION / model.opt.timestep);
  let drift = NO_DRIFT;
  let time = 0;
  let speed = { name: '', value: 0 };
  let late = { name: '', value: 0 };
  const saturated = new Map<string, number>();
  try {
    robot = new HeldRobot(mj, model, null, defaults, deadline);
    for (let step = 1; step <= steps; step++) {
      robot.step();
      time = step * robot.timestep;
      if (!robot.isFinite()) {
        return failed(
          'hangs',
          `the simulation diverges after ${time.toFixed(2)} s of holding the pose in the air: ${SHAKE_REMEDY}`,
        );
      }
      const [off, fast] = [robot.drift(), robot.speed()];
      if (off && off.share > drift.share) drift = off;
      if (fast && fast.value > speed.value) speed = { name: fast.joint.name, value: fast.value };
      if (fast && step > (1 - LATE) * steps && fast.value > late.value)
        late = { name: fast.joint.name, value: fast.value };
      for (const { name } of robot.saturated()) saturated.set(name, (saturated.get(name) ?? 0) + 1);
    }
  } catch (error) {
    const done = `after ${time.toFixed(2)} of ${DURATION} s`;
    return error instanceof TooSlow
      ? failed('hangs', `takes too long to simulate and was stopped ${done}. Simplify the collision shapes`)
      : failed('hangs', `cannot be simulated ${done}: ${mujocoMessage(error)}`);
  } finally {
    robot?.delete();
  }
  const samples = [...saturated.values()].reduce((sum, one) => sum + one, 0);
  const share = samples / (steps * Math.max(1, model.nu));
  const text =
    `held in the air for ${DURATION} s: furthest from its pose ${drift.text}, ` +
    `at most ${angle(speed.value)} rad/s, ${angle(late.value)} rad/s at the end, ${threeDigits(100 * share)} % of motors saturated`;
  if (speed.value > LIMIT.speed || late.value > LIMIT.lateSpeed) {
    return failed(
      'hangs',
      `${text}. ${speed.name} ${speed.value > LIMIT.speed ? 'moves too fast' : 'does not come to rest'}: ${SHAKE_REMEDY}`,
    );
  }
  if (share > LIMIT.saturation) {
    const names = [...saturated].sort(([, a], [, b]) => b - a).map(([name]) => name);
    return failed('hangs', `${text}. Raise the effort limit of ${shortList(names)}, or check the masses`);
  }
  if (drift.share > LIMIT.drift.fail) {
    return failed('hangs', `${text}. Raise the stiffness of ${drift.name}, or check the masses it carries`);
  }
  return drift.share > LIMIT.drift.warn ? warned('hangs', text) : passed('hangs', text);
}

const SHAKE_REMEDY =
  'lower the stiffness or raise damping and armature, check their signs and look for overlapping shapes';
