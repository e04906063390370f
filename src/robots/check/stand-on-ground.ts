import type { RobotSpec } from '../../protocol/schemas/robots.ts';
import { type MainModule, type MjModel, mujocoMessage } from '../../sim/mujoco.ts';
import { treeDistance } from '../inspect/body-tree.ts';
import { footSlack } from '../inspect/limbs.ts';
import type { PosedModel } from '../inspect/posed-model.ts';
import { mm, OVERLAP } from '../inspect/suggest-contacts.ts';
import type { Check } from './check-report.ts';
import { HeldRobot, TooSlow } from './held-robot.ts';
import { failed, figure, passed, shortList, warned } from './static-checks.ts';

/** s: how long it must stay up, and how long it is watched */
const GROUND = 0.5;
const WATCHED = 2;
/** s before GROUND in which a touch of the floor counts */
const TOUCH = 0.1;
const LIMIT = {
  /** m, self-contact at the start */
  overlap: 0.02,
  /** root height, of that at the start */
  sunk: { fail: 0.7, warn: 0.9 },
  /** z component of the root's z axis */
  up: { fail: 0.5, warn: 0.9 },
  /** rad (m of slides) from the default pose */
  drift: { fail: 1, warn: 0.6 },
  /** m into the floor */
  penetration: 0.02,
  /** m, root above the floor */
  height: { least: 0.1, most: 3 },
  /** m between the spec's root height and that at which the soles touch the floor */
  offset: { fail: 0.05, warn: 0.01 },
  /** m between the measured sole and the spec's */
  sole: 0.01,
  /** root height of a fallen robot, of that at the start */
  fallen: 0.6,
} as const;
/** Contacts between bodies at most so far apart in the tree can be left out. */
const NEAR = 3;

/** Self-contact, half a second on the floor, what touches it there, and how long the robot stays up. `posed` is the same
 *  model in the default pose. */
export function checkOnGround(
  mj: MainModule,
  model: MjModel,
  posed: PosedModel,
  spec: RobotSpec,
  defaults: ReadonlyMap<string, number>,
  deadline: number,
): Check[] {
  const lowest = posed.lowest();
  if (!Number.isFinite(lowest)) {
    const text = 'no shape of the robot collides, it would fall through the floor';
    return [
      passed('self_contact', 'no shape of the robot collides'),
      failed('ground', text),
      failed('feet', text),
      passed('stands', 'for 0 s: it falls through the floor'),
    ];
  }
  const rootZ = posed.position(posed.tree.root)[2] - lowest;
  const start = (z: number) => new HeldRobot(mj, model, z, defaults, deadline);
  const run = { ...watch(start, rootZ, model.opt.timestep), rootZ };
  return [
    checkSelfContact(start, posed, spec),
    checkGround(run, spec),
    checkFeet(run, posed, spec),
    checkStands(run),
  ];
}

interface Watched {
  readonly rootZ: number;
  /** what went wrong, null while all went well until GROUND */
  readonly problem: string | null;
  readonly sunk: number;
  readonly up: number;
  readonly drift: { readonly name: string; readonly value: number };
  /** m, deepest into the floor until GROUND */
  readonly penetration: number;
  /** model bodies on the floor at GROUND */
  readonly touching: ReadonlySet<number>;
  /** s until it fell; null: it stayed up */
  readonly fell: number | null;
  readonly watched: number;
}

function watch(start: (z: number) => HeldRobot, rootZ: number, dt: number): Omit<Watched, 'rootZ'> {
  let robot: HeldRobot | null = null;
  const touching = new Set<number>();
  let [sunk, up, penetration, time] = [1, 1, 0, 0];
  let drift = { name: '', value: 0 };
  let fell: number | null = null;
  let problem: string | null = null;
  try {
    robot = start(rootZ);
    for (let step = 1; step <= Math.round(WATCHED / dt) && fell === null; step++) {
      robot.step();
      time = step * dt;
      if (!robot.isFinite()) {
        fell = time;
        if (time <= GROUND) problem = `explodes after ${time.toFixed(2)} s on the floor`;
        break;
      }
      if (robot.rootZ() < LIMIT.fallen * rootZ || robot.up() < LIMIT.up.fail) fell = time;
      if (time > GROUND + dt / 2) continue;
      [sunk, up] = [robot.rootZ() / rootZ, robot.up()];
      const off = robot.drift();
      if (off && off.value > drift.value) drift = { name: off.joint.name, value: off.value };
      for (const { bodies, depth } of robot.contacts()) {
        if (!bodies.includes(0)) continue;
        penetration = Math.max(penetration, depth);
        if (time > GROUND - TOUCH) touching.add(Math.max(...bodies));
      }
    }
  } catch (error) {
    if (time <= GROUND) {
      problem =
        error instanceof TooSlow
          ? `takes too long to simulate, only ${time.toFixed(2)} s done: simplify the collision shapes`
          : `cannot be simulated on the floor: ${mujocoMessage(error)}`;
    }
    fell ??= error instanceof TooSlow ? null : time;
  } finally {
    robot?.delete();
  }
  return { problem, sunk, up, drift, penetration, touching, fell, watched: time };
}

function checkSelfContact(start: (z: number) => HeldRobot, posed: PosedModel, spec: RobotSpec): Check {
  if (spec.contacts?.self_collision === false) {
    return passed('self_contact', 'switched off: 0 pairs of bodies can touch each other');
  }
  let robot: HeldRobot | null = null;
  const deepest = new Map<string, { readonly bodies: readonly [number, number]; readonly depth: number }>();
  try {
    // Far above the floor: what touches now touches itself.
    robot = start(1000);
    for (const contact of robot.contacts()) {
      const key = contact.bodies.join(' ');
      if (contact.depth > (deepest.get(key)?.depth ?? OVERLAP)) deepest.set(key, contact);
    }
  } catch (error) {
    return failed('self_contact', `contacts cannot be computed: ${mujocoMessage(error)}`);
  } finally {
    robot?.delete();
  }
  const { tree } = posed;
  const pairs = [...deepest.values()].sort((a, b) => b.depth - a.depth);
  if (pairs.length === 0)
    return passed('self_contact', `0 pairs of bodies overlap by more than ${mm(OVERLAP)} in the default pose`);
  const names = pairs.map(({ bodies }): readonly [string, string] => [tree.names[bodies[0]]!, tree.names[bodies[1]]!]);
  const list = shortList(pairs.map(({ depth }, k) => `${names[k]!.join(' and ')} by ${mm(depth)}`));
  const exclude = names.filter((_, k) => treeDistance(tree, ...pairs[k]!.bodies) <= NEAR);
  const far = names.filter((pair) => !exclude.includes(pair));
  const remedy = [
    exclude.length > 0
      ? `leave ${shortList(exclude.map((pair) => pair.join(' and ')))} out (contacts.exclude) if they are built so`
      : null,
    far.length > 0
      ? `correct the shapes or the default pose of ${shortList(far.map((pair) => pair.join(' and ')))}`
      : null,
  ].filter((part) => part !== null);
  const text = `in the default pose ${list} overlap: ${remedy.join('; ')}`;
  const check = pairs[0]!.depth > LIMIT.overlap ? failed('self_contact', text) : warned('self_contact', text);
  return exclude.length > 0 ? { ...check, exclude } : check;
}

function checkGround(run: Watched, spec: RobotSpec): Check {
  const { rootZ, sunk, up, drift, penetration } = run;
  const offset = rootZ - spec.root_height;
  if (rootZ < LIMIT.height.least || rootZ > LIMIT.height.most) {
    return failed(
      'ground',
      `its root stands ${figure(rootZ)} m above the floor, a robot's ${LIMIT.height.least} to ${LIMIT.height.most} m: ` +
        'check the unit of lengths (metres) and the scale of the model',
    );
  }
  if (run.problem !== null) return failed('ground', `${run.problem}. Check gains, masses and overlapping shapes`);
  const text =
    `after ${GROUND} s on the floor its root is at ${figure(100 * sunk)} % of ${figure(rootZ)} m, upright to ${figure(up)}, ` +
    `${drift.name || 'no joint'} ${figure(drift.value)} rad off its pose, at most ${mm(penetration)} in the floor; ` +
    `soles touch the floor at a root height of ${figure4(rootZ)} m, the spec says ${figure4(spec.root_height)} m`;
  const problems = [
    sunk < LIMIT.sunk.fail || up < LIMIT.up.fail
      ? 'it does not hold itself up: raise stiffness and effort limits of the legs, or check the masses'
      : null,
    drift.value > LIMIT.drift.fail ? `${drift.name} gives way: raise its stiffness or check its effort limit` : null,
    penetration > LIMIT.penetration
      ? 'it sinks into the floor: check masses and the collision shapes of the feet'
      : null,
    Math.abs(offset) > LIMIT.offset.fail ? `set root_height to ${figure4(rootZ)}` : null,
  ].filter((part) => part !== null);
  if (problems.length > 0) return failed('ground', `${text}. Remedy: ${problems.join('; ')}`);
  const look =
    sunk < LIMIT.sunk.warn ||
    up < LIMIT.up.warn ||
    drift.value > LIMIT.drift.warn ||
    Math.abs(offset) > LIMIT.offset.warn;
  return look ? warned('ground', text) : passed('ground', text);
}

function checkFeet(run: Watched, posed: PosedModel, spec: RobotSpec): Check {
  const { tree } = posed;
  const feet = spec.wiring.feet.filter((name) => tree.names.includes(name)).map((name) => tree.names.indexOf(name));
  if (feet.length === 0) return failed('feet', '0 feet are wired: name the bodies that stand on the floor, left first');
  const carriers = feet.map((foot) => tree.carrierOf[foot]!);
  const lowest = posed.lowest();
  const slack = footSlack(run.rootZ);
  const high = feet.filter((_, k) => posed.extent(carriers[k]!, 2)[0] - lowest > slack);
  if (high.length > 0) {
    const list = high.map((foot) => {
      const above = posed.extent(tree.carrierOf[foot]!, 2)[0] - lowest;
      return `${tree.names[foot]} ${Number.isFinite(above) ? `ends ${figure(above)} m above the floor` : 'has no shape'}`;
    });
    const low = tree.carriers.filter((carrier) => posed.extent(carrier, 2)[0] - lowest <= slack);
    return failed(
      'feet',
      `in the default pose ${list.join(', ')}: wire the bodies that stand on it, ${low.map((body) => tree.names[body]).join(', ')}`,
    );
  }
  const side = (foot: number) => {
    const [, marker] = /(?:^|[_\W])(left|right|l|r)(?=[_\W]|$)/i.exec(tree.names[foot]!) ?? [];
    return marker?.[0]?.toLowerCase() ?? null;
  };
  const [first, second] = feet;
  if (feet.length === 2) {
    const y = [posed.position(first!)[1], posed.position(second!)[1]] as const;
    const named = [side(first!), side(second!)].join('');
    if (named === 'rl' || (named !== 'lr' && y[0] < y[1])) {
      return failed(
        'feet',
        `${tree.names[first!]} (y ${figure(y[0])} m) comes before ${tree.names[second!]} (y ${figure(y[1])} m): name the left foot first`,
      );
    }
  }
  const soles = feet.map((foot, k) => posed.position(foot)[2] - posed.extent(carriers[k]!, 2)[0]);
  const sole = soles.reduce((sum, one) => sum + one, 0) / soles.length;
  const standing = feet.filter((_, k) => [...run.touching].some((body) => tree.carrierOf[body] === carriers[k]));
  const others = [...run.touching]
    .filter((body) => !carriers.includes(tree.carrierOf[body]!))
    .map((body) => tree.names[body]!);
  const text =
    `${standing.length} of ${feet.length} feet on the floor after ${GROUND} s` +
    (others.length > 0 ? `, and ${shortList(others)}` : '') +
    `; soles ${mm(sole)} below the feet's frames, the spec says ${mm(spec.foot_sole_z ?? 0)}`;
  if (standing.length === 0 && run.problem === null) {
    return failed('feet', `${text}. Wire the bodies that it stands on, or give the feet collision shapes`);
  }
  const look =
    standing.length < feet.length || others.length > 0 || Math.abs(sole - (spec.foot_sole_z ?? 0)) > LIMIT.sole;
  return look ? warned('feet', text) : passed('feet', text);
}

/** Information: a robot that is fine falls over without a policy. */
function checkStands({ fell, watched }: Watched): Check {
  return passed(
    'stands',
    fell === null
      ? `for all ${watched.toFixed(1)} s that it was watched, held by its servos alone`
      : `for ${fell.toFixed(2)} s; that it falls then is no fault, it has no policy to balance it`,
  );
}

function figure4(value: number): string {
  return String(Number(value.toFixed(4)));
}
