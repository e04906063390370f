import type { RobotSpec } from '../../protocol/schemas/robots.ts';
import { type PosedModel, withinRange } from '../../robots/kinematics/posed-model.ts';
import { collides } from '../../sim/geom-extent.ts';
import type { MjModel } from '../../sim/mujoco.ts';
import type { ModelFindings } from '../inspect/inspection.ts';
import { ownMass } from '../inspect/suggest-wiring.ts';
import { shortList, threeDigits } from '../number-text.ts';
import { REACH, servoReach } from '../servo-reach.ts';
import { type Check, failed, passed, warned } from './check-report.ts';
import type { Names } from './compilable-spec.ts';

/** Range of the mass of a whole robot, kg. Robots lighter than `usual` are small toys or have masses in another
 *  unit. */
const MASS = { least: 0.1, usual: 1, most: 300 } as const;
/** Smallest usual mass of a moving part, kg. Lighter parts are stable, because joints have an armature. */
const LEAST_PART = 1e-3;
/** Largest radius of gyration of a body, m. A larger value indicates an inertia in another unit. */
const LARGEST_GYRATION = 1;
/** Distance by which a default pose may exceed its range, rad or m, because numbers in files are rounded. */
const RANGE_SLACK = 1e-3;

export function checkMass(posed: PosedModel): Check {
  const { model, tree } = posed;
  const values = [model.body_mass, model.body_inertia, model.body_ipos] as Float64Array[];
  if (!values.every((view) => view.every(Number.isFinite))) {
    return failed('mass', 'masses or inertias of the model are not numbers. State them in the model file');
  }
  const total: number = model.body_subtreemass[tree.root];
  const text = `${kg(total)} in ${tree.carriers.length} moving parts`;
  if (total < MASS.least || total > MASS.most) {
    return failed(
      'mass',
      `${text}, the heaviest ${heaviest(posed)}, but a robot weighs ${MASS.least} to ${MASS.most} kg: check the units of ` +
        'the masses in the model file',
    );
  }
  const light = tree.carriers
    .filter((carrier) => ownMass(posed, carrier) < LEAST_PART)
    .map((body) => tree.names[body]!);
  const wide = tree.names.flatMap((name, body) => {
    const inertia = Math.max(...model.body_inertia.subarray(3 * body, 3 * body + 3));
    const gyration = Math.sqrt(inertia / model.body_mass[body]);
    return body > 0 && gyration > LARGEST_GYRATION ? [`${name} ${gyration.toFixed(1)} m`] : [];
  });
  const doubts = [
    ...(total < MASS.usual ? [`less than ${MASS.usual} kg: check that the masses in the model file are in kg`] : []),
    ...(light.length > 0 ? [`lighter than ${1000 * LEAST_PART} g: ${shortList(light)}`] : []),
    ...(wide.length > 0
      ? [`these inertias are plausible only for far larger bodies (radius of gyration): ${wide.join(', ')}`]
      : []),
  ];
  if (doubts.length > 0) return warned('mass', [text, ...doubts].join('; '));
  return passed('mass', `${text}, the lightest ${kg(Math.min(...tree.carriers.map((one) => ownMass(posed, one))))}`);
}

function heaviest(posed: PosedModel): string {
  const { tree, model } = posed;
  const body = tree.names.reduce((most, _, one) => (model.body_mass[one] > model.body_mass[most] ? one : most), 0);
  return `${tree.names[body]} ${kg(model.body_mass[body])}`;
}

export function checkJoints(
  posed: PosedModel,
  spec: RobotSpec,
  names: Names,
  { mimics, actuators, passive, effortLimits }: ModelFindings,
): Check {
  const { joints } = posed;
  const unknown = Object.keys(spec.joints).filter((name) => !names.joints.has(name));
  if (unknown.length > 0) {
    return failed('joints', `the model has no joint ${unknown.join(', ')}: remove ${these(unknown)} from the spec`);
  }
  const followers = Object.keys(spec.joints).filter((name) => mimics.has(name));
  if (followers.length > 0) {
    const list = followers.map((name) => `${name} follows ${mimics.get(name)!.joint}`).join(', ');
    return failed('joints', `${list} in the model: remove ${these(followers)} from the spec`);
  }
  if (joints.length === 0) {
    return failed(
      'joints',
      `the model has no joints that can be driven, only ${posed.tree.names[posed.tree.root]}. Choose the file of a robot with hinge or slide joints`,
    );
  }
  const actuated = joints.filter(({ name }) => Object.hasOwn(spec.joints, name));
  if (actuated.length === 0)
    return failed('joints', `0 of ${joints.length} joints have gains. Add every actuated joint to the spec`);
  // The model's actuators determine which joints have motors. Without actuators, its effort limits determine it;
  // without both, every joint has a motor.
  const [motors] = [actuators, effortLimits].filter((stated) => stated.size > 0);
  const hasMotor = (joint: string) => !passive.has(joint) && (motors?.has(joint) ?? true);
  const missing = joints
    .filter(({ name }) => !mimics.has(name) && !actuated.some((joint) => joint.name === name) && hasMotor(name))
    .map(({ name }) => name);
  if (missing.length > 0) {
    return failed(
      'joints',
      `${missing.length === 1 ? '1 actuated joint has' : `${missing.length} actuated joints have`} no gains: ` +
        `${shortList(missing)}. Add every actuated joint to the spec`,
    );
  }
  const outside = actuated.flatMap((joint) => {
    const value = spec.joints[joint.name]!.default;
    if (Number.isFinite(value) && Math.abs(withinRange(joint, value) - value) <= RANGE_SLACK) return [];
    return [`${joint.name} at ${value}, range ${joint.lower} to ${joint.upper}`];
  });
  if (outside.length > 0) {
    return failed('joints', `the default pose is outside the joint ranges: ${outside.join('; ')}. Move it inside`);
  }
  const undriven = joints.length - actuated.length;
  const unlimited = actuated.filter(({ lower, type }) => lower === null && type === 'hinge').map(({ name }) => name);
  const text =
    `${actuated.length} actuated joints, default pose within their ranges` +
    (undriven > 0 ? `; ${undriven} joints without actuator` : '');
  return unlimited.length > 0
    ? warned('joints', `${text}; without limits: ${unlimited.join(', ')}`)
    : passed('joints', text);
}

export function checkGains(posed: PosedModel, spec: RobotSpec): Check {
  const wrong = (field: string, bad: (joint: RobotSpec['joints'][string], name: string) => boolean) => {
    const names = Object.entries(spec.joints).flatMap(([name, joint]) => (bad(joint, name) ? [name] : []));
    return names.length > 0 ? [`${field} of ${shortList(names)}`] : [];
  };
  const damped = new Map(
    posed.joints.map(({ name, id }) => [name, posed.model.dof_damping[posed.model.jnt_dofadr[id]] as number]),
  );
  const problems = [
    ...wrong('stiffness', ({ stiffness }) => !(stiffness > 0 && Number.isFinite(stiffness))),
    ...wrong(
      'damping',
      ({ damping }, name) => !(damping >= 0 && damping + (damped.get(name) ?? 0) > 0 && Number.isFinite(damping)),
    ),
    ...wrong('effort_limit', ({ effort_limit: effort }) => !(effort > 0 && Number.isFinite(effort))),
    ...wrong('armature', ({ armature }) => !(armature >= 0 && Number.isFinite(armature))),
    ...wrong('torque_speed (x2 above x1)', ({ torque_speed: curve }) => curve !== undefined && !(curve.x2 > curve.x1)),
    ...wrong('action_scale', ({ action_scale: scale }) => !(Number.isFinite(scale) && scale !== 0)),
  ];
  if (problems.length > 0) {
    return failed('gains', `each must be finite and greater than zero: ${problems.join('; ')}`);
  }
  if (Object.keys(spec.joints).length === 0) {
    return failed('gains', '0 joints have gains. Add every actuated joint to the spec');
  }
  const hinges = posed.joints.filter(({ name, type }) => type === 'hinge' && Object.hasOwn(spec.joints, name));
  const reaching = (out: (reach: number) => boolean) =>
    hinges.flatMap(({ name }) => {
      const { stiffness, effort_limit: effort } = spec.joints[name]!;
      const reach = servoReach(spec.joints[name]!);
      return out(reach) ? [`${name} ${threeDigits(reach)} rad (${effort} Nm at ${stiffness} Nm/rad)`] : [];
    });
  const stiff = reaching((reach) => reach < REACH.fail);
  if (stiff.length > 0) {
    return failed(
      'gains',
      `too stiff for the effort limit: ${shortList(stiff)}. effort_limit / stiffness must be at least ${REACH.fail} rad, ` +
        'or the servo only switches between its limits: lower stiffness or raise effort_limit',
    );
  }
  const range = (pick: (joint: RobotSpec['joints'][string]) => number) => {
    const values = Object.values(spec.joints).map(pick);
    const [least, most] = [threeDigits(Math.min(...values)), threeDigits(Math.max(...values))];
    return least === most ? least : `${least} to ${most}`;
  };
  const text =
    `stiffness ${range((j) => j.stiffness)} Nm/rad, damping ${range((j) => j.damping)} Nm·s/rad, ` +
    `effort ${range((j) => j.effort_limit)} Nm`;
  const bare = Object.values(spec.joints).filter(({ armature }) => armature === 0).length;
  const soft = reaching((reach) => reach > REACH.warn);
  const doubts = [
    ...(bare > 0 ? [`${bare} joints have no armature, so that stiff servos oscillate`] : []),
    ...(soft.length > 0
      ? [`soft for the effort limit, more than ${REACH.warn} rad from zero to full effort: ${shortList(soft)}`]
      : []),
  ];
  return doubts.length > 0 ? warned('gains', [text, ...doubts].join('; ')) : passed('gains', text);
}

export function checkWiring(spec: RobotSpec, names: Names): Check {
  const { anchor, keybodies, feet } = spec.wiring;
  const named: [field: string, body: string][] = [
    ['anchor', anchor],
    ...keybodies.map((body): [string, string] => ['keybodies', body]),
    ...feet.map((body): [string, string] => ['feet', body]),
    ...(spec.end_effectors ?? []).map((body): [string, string] => ['end_effectors', body]),
    ...(spec.contacts?.exclude ?? []).flat().map((body): [string, string] => ['contacts.exclude', body]),
  ];
  const unknown = named
    .filter(([, body]) => !names.bodies.has(body))
    .map(([field, body]) => `${field}: ${body || '(empty)'}`);
  if (unknown.length > 0) {
    return failed(
      'wiring',
      `${unknown.length} of ${named.length} names are not bodies of the model: ${shortList([...new Set(unknown)])}. Choose from its ${names.bodies.size} bodies`,
    );
  }
  for (const [field, list] of [
    ['keybodies', keybodies],
    ['feet', feet],
    ['end_effectors', spec.end_effectors ?? []],
  ] as const) {
    const twice = list.filter((body, k) => list.indexOf(body) !== k);
    if (twice.length > 0) return failed('wiring', `${field} name ${twice.join(', ')} twice. List each body once`);
  }
  const itself = (spec.contacts?.exclude ?? []).find(([first, second]) => first === second);
  if (itself)
    return failed('wiring', `contacts.exclude has a pair with ${itself[0]} twice. A pair needs two different bodies`);
  if (keybodies.length === 0) return failed('wiring', 'no key bodies. List the bodies that training tracks');
  const text = `anchor ${anchor}, ${keybodies.length} keybodies, ${feet.length} feet, ${(spec.end_effectors ?? []).length} end effectors`;
  const missing = feet.filter((body) => !keybodies.includes(body));
  return missing.length > 0
    ? warned('wiring', `${text}; ${missing.join(', ')} not among the keybodies`)
    : passed('wiring', text);
}

export function checkCollision(model: MjModel, posed: PosedModel, feet: readonly string[]): Check {
  const { tree } = posed;
  const solid = Array.from({ length: model.ngeom }, (_, geom) => geom).filter(
    (geom) => tree.carrierOf[model.geom_bodyid[geom]] !== 0 && collides(model, geom),
  );
  if (solid.length === 0) {
    const named = feet.length > 0 ? feet.join(' and ') : 'the feet';
    return failed(
      'collision',
      `no shape collides. Add collision geoms to the bodies, at least to ${named}, or give their shapes contype 1`,
    );
  }
  const carriers = new Set(solid.map((geom) => tree.carrierOf[model.geom_bodyid[geom]]!));
  const text = `${solid.length} shapes on ${carriers.size} of ${tree.carriers.length} moving parts collide`;
  const hollow = feet.filter((foot) => !carriers.has(tree.carrierOf[tree.names.indexOf(foot)]!));
  if (hollow.length > 0) {
    return failed(
      'collision',
      `${text}, but none on ${hollow.join(' and ')}: a foot needs a collision shape to stand on`,
    );
  }
  const bare = feet.filter((foot) => !solid.some((geom) => tree.names[model.geom_bodyid[geom]] === foot));
  if (bare.length > 0) {
    const parts = new Set(bare.map((foot) => tree.carrierOf[tree.names.indexOf(foot)]!));
    const owners = solid
      .map((geom) => model.geom_bodyid[geom] as number)
      .filter((body) => parts.has(tree.carrierOf[body]!));
    return failed(
      'collision',
      `${text}, but no shape belongs to ${bare.join(' or ')}, and training measures contacts of the listed bodies only. ` +
        `List the bodies with the shapes in wiring.feet instead: ${shortList([...new Set(owners)].map((body) => tree.names[body]!))}`,
    );
  }
  const meshes = solid.filter((geom) => model.geom_dataid[geom] >= 0).length;
  return meshes > 20
    ? warned('collision', `${text}; ${meshes} of them are meshes, which simulate slowly`)
    : passed('collision', text);
}

const these = (list: readonly string[]) => (list.length === 1 ? 'it' : 'them');
const kg = (mass: number) => `${threeDigits(mass)} kg`;
