import type { RobotSpec } from '../../protocol/schemas/robots.ts';
import type { PosedModel } from '../../robots/kinematics/posed-model.ts';
import { angle, metres, mm, shortList, threeDigits } from '../number-text.ts';
import { SAG, standingLoads } from '../standing-load.ts';
import { type Check, failed, passed, warned } from './check-report.ts';
import { GROUND_TIME, LEAST_HEIGHT, type Standing } from './watch-standing.ts';

const LIMIT = {
  /** root height after the test, as a share of the height at the start */
  height: { fail: 0.7, warn: 0.9 },
  /** z component of the root's z axis */
  up: { fail: 0.5, warn: 0.9 },
  /** deviation of a joint, as a share of the deviation at which it is considered not held */
  drift: { fail: 1, warn: 0.6 },
  /** depth of penetration into the floor, m */
  penetration: 0.02,
  /** height of the whole robot, m */
  size: 0.03,
  /** height of the root above the floor, m. It is 0 for an arm whose frame is on the floor. */
  root: { least: 0, most: 3 },
  /** difference between the root height in the spec and the height at which the soles touch the floor, m */
  offset: { fail: 0.05, warn: 0.01 },
} as const;

/** Differences of height below this value are rounding errors, m. */
const ROUNDING = 1e-4;
/** Contacts are considered soft if their impedance at the surface, the first value of solimp, is below this. MuJoCo's
 *  default is 0.9. */
const SOFT = 0.5;

/** @param posed in the default pose */
export function checkGround(standing: Standing, posed: PosedModel, spec: RobotSpec): Check {
  const { rootZ, height, up, drift, penetration, problem } = standing;
  const size = Math.max(...posed.tree.carriers.map((carrier) => posed.extent(carrier, 2)[1])) - posed.lowest();
  const oddity =
    size < LIMIT.size
      ? `it is ${threeDigits(size)} m high, expected at least ${LIMIT.size} m`
      : rootZ < LIMIT.root.least - ROUNDING || rootZ > LIMIT.root.most
        ? `its root is ${threeDigits(rootZ)} m above the floor, expected ${LIMIT.root.least} to ${LIMIT.root.most} m`
        : null;
  if (oddity !== null)
    return failed('ground', `${oddity}: check the unit of lengths (metres) and the scale of the model`);
  if (problem !== null) return failed('ground', `${problem}. Check gains, masses and overlapping shapes`);
  const offset = rootZ - spec.root_height;
  // A share of a height near zero says nothing.
  const root =
    rootZ < LEAST_HEIGHT
      ? `${mm(rootZ + (height - 1) * LEAST_HEIGHT)} above the floor, at first ${mm(rootZ)}`
      : `at ${threeDigits(100 * height)} % of ${metres(rootZ)}`;
  const text =
    `after ${GROUND_TIME} s on the floor its root is ${root}, ` +
    `upright to ${angle(up)}, furthest from its pose ${drift.text}, ` +
    `${mm(penetration)} in the floor; soles touch the floor at a root height of ${metres(rootZ)}, ` +
    `in the spec ${metres(spec.root_height)}`;
  const remedies = [
    height < LIMIT.height.fail || up < LIMIT.up.fail ? `it falls: ${causeOfFall(posed, spec)}` : null,
    drift.share > LIMIT.drift.fail ? `${drift.name} gives way: raise its stiffness or effort limit` : null,
    penetration > LIMIT.penetration ? `it sinks into the floor: ${causeOfSinking(posed, standing)}` : null,
    Math.abs(offset) > LIMIT.offset.fail ? `set root_height to ${metres(rootZ)}` : null,
  ].filter((part) => part !== null);
  if (remedies.length > 0) return failed('ground', `${text}. To do: ${remedies.join('; ')}`);
  const look =
    height < LIMIT.height.warn ||
    up < LIMIT.up.warn ||
    drift.share > LIMIT.drift.warn ||
    Math.abs(offset) > LIMIT.offset.warn;
  return look ? warned('ground', text) : passed('ground', text);
}

/** Names the joints that cannot carry the robot in the default pose, with the values that are too small. */
function causeOfFall(posed: PosedModel, spec: RobotSpec): string {
  const feet = spec.wiring.feet.map((name) => posed.tree.carrierOf[posed.tree.names.indexOf(name)]!);
  const loaded = [...standingLoads(posed, feet)].flatMap(([{ name }, load]) => {
    const gains = Object.hasOwn(spec.joints, name) ? spec.joints[name] : undefined;
    return gains ? [{ name, load, ...gains }] : [];
  });
  const weak = loaded.filter(({ load, effort_limit: effort }) => effort < load);
  if (weak.length > 0) {
    const list = weak.map(
      ({ name, load, effort_limit: effort }) =>
        `${name} ${threeDigits(effort)} Nm, but standing needs ${threeDigits(load)} Nm`,
    );
    return (
      `effort limits are too small: ${shortList(list)}. Correct them in the model file (torque of the joint, not of ` +
      'the motor before its gear) or raise effort_limit'
    );
  }
  const soft = loaded.filter(({ load, stiffness }) => load > SAG.most * stiffness);
  if (soft.length > 0) {
    const list = soft.map(
      ({ name, load, stiffness }) => `${name} ${threeDigits(stiffness)} Nm/rad under ${threeDigits(load)} Nm`,
    );
    return `servos yield to the weight: ${shortList(list)}. Raise their stiffness`;
  }
  return 'raise stiffness and effort limits of the legs, or check the masses';
}

/** Names the bodies on the floor whose contacts the model makes soft, with the value. */
function causeOfSinking({ model, tree }: PosedModel, { touching }: Standing): string {
  const soft = new Map<string, string[]>();
  for (let geom = 0; geom < model.ngeom; geom += 1) {
    const body: number = model.geom_bodyid[geom];
    const impedance = Array.from(model.geom_solimp.subarray(5 * geom, 5 * geom + 3) as Float64Array, threeDigits);
    if (!touching.has(body) || model.geom_solimp[5 * geom] >= SOFT) continue;
    const value = impedance.join(' ');
    soft.set(value, [...(soft.get(value) ?? []), tree.names[body]!]);
  }
  if (soft.size === 0) return 'check the masses and the collision shapes of the feet';
  const list = Array.from(soft, ([value, names]) => `solimp ${value} of ${shortList([...new Set(names)])}`);
  return `the model makes its contacts soft, ${list.join('; ')}. Remove solimp from these shapes in the model file, or set its first value to 0.9`;
}

/** Reports how long the robot stands. This check always passes, because a sound robot may fall without a policy. */
export function checkStands({ fell, watched, problem }: Standing): Check {
  if (problem !== null) return passed('stands', `for ${watched.toFixed(2)} s, then it ${problem}`);
  return passed(
    'stands',
    fell === null
      ? `stands for all ${watched.toFixed(1)} s of the test without a policy`
      : `stands ${fell.toFixed(2)} s without a policy (expected: balancing is the policy's job)`,
  );
}
