import { otherSide } from '../../protocol/part-sides.ts';
import type { ModelJoint, PosedModel } from '../../robots/kinematics/posed-model.ts';
import { shortList } from '../number-text.ts';
import { REACH, servoReach, stiffnessInReach } from '../servo-reach.ts';
import { SAG, standingLoads } from '../standing-load.ts';
import type { ModelFindings, SuggestedGains } from './inspection.ts';
import { jointsOf, type Limb, type Limbs, middleOf } from './limbs.ts';

/** Natural frequency (rad/s, 10 Hz) and damping ratio of a joint whose only load is its rotor. The joint is soft enough
 *  for contacts and stiff enough to follow motions. */
const OMEGA = 2 * Math.PI * 10;
const ZETA = 2;
/** Ratio of reflected rotor inertia to effort, kg·m² per Nm. Geared electric joints of legged robots agree within a
 *  factor of 2. */
const ARMATURE_PER_EFFORT = 2e-4;
/** The model's armature is used only between these multiples of the usual armature. Servos with high gear ratios have
 *  up to 45 times the usual armature (Dynamixel, Feetech). Placeholders for fingers and heads have 160 times and
 *  more. */
const ARMATURE_SHARE = { least: 0.05, most: 60 } as const;
/** A stated effort above this multiple of the estimate is a placeholder. URDFs of robots of 2 kg state 1000 Nm, which
 *  is 200 times the estimate. The motors of 14 robots of other makers have up to 9 times. */
const PLACEHOLDER_EFFORT = 40;
/** Motors whose efforts differ by more than this factor cannot have equal rotors. */
const PLACEHOLDER_SPREAD = 4;
/** Torque for one unit of action, as a share of the effort limit. */
const ACTION_SHARE = 0.25;
/** Deviation at which a slide joint applies its full effort, m. */
const SLIDE_REACH = 0.05;
/** Maximum reach of a servo that is accepted if its effort limit is estimated, rad, because the estimate may be far
 *  off. */
const FAR_REACH = 20;
const GRAVITY = 9.81;

/** Factors that estimate an effort limit if the model states none: limit = factor × gravity torque at the joint. */
const ASSUMED = {
  /** factor on the gravity torque of all bodies that the joint carries */
  limb: 3,
  /** for two legs: factor on mass · gravity · root height */
  biped: 0.5,
  ankle: 0.4,
  /** for four or more legs: factor on the same product, divided by the number of pairs */
  quadruped: 1.2,
  /** minimum multiple of the torque needed for standing */
  standing: 2,
  least: 5,
  most: 400,
  /** leg joints below this share of the root's height are ankles */
  ankleHeight: 0.2,
} as const;

export interface GainSuggestions {
  readonly gains: ReadonlyMap<string, SuggestedGains>;
  readonly warnings: readonly string[];
}

interface Sourced {
  readonly value: number;
  readonly source: string;
}
interface Effort extends Sourced {
  /** whether the model states the effort; otherwise it is estimated */
  readonly isStated: boolean;
}

/** Suggests gains for the current pose of the model. Omits joints that follow another joint, and passive joints. */
export function suggestGains(posed: PosedModel, findings: ModelFindings, limbs: Limbs): GainSuggestions {
  const warnings: string[] = [];
  const gains = new Map<string, SuggestedGains>();
  const estimated: EstimatedEfforts = { missing: [], impossible: [] };
  const legJoints = new Set(limbs.legs.flatMap((leg) => jointsOf(posed, leg)));
  const shoulders = shoulderJoints(posed, limbs.others);
  const standing = standingLoads(
    posed,
    limbs.legs.map(({ end }) => end),
  );
  const loads = evenSides(standing, (load) => load);
  const actuated = posed.joints.filter(({ name }) => !findings.mimics.has(name) && !findings.passive.has(name));
  const estimates = evenSides(
    new Map(
      actuated.map((joint) => {
        const assumed = assumedEffort(posed, shoulders.get(joint) ?? joint, limbs.legs.length, legJoints.has(joint));
        return [joint, atLeast(assumed, ASSUMED.standing * loads.get(joint)!)];
      }),
    ),
    ({ value }) => value,
  );
  const efforts = new Map<ModelJoint, Effort>();
  for (const [joint, estimate] of estimates)
    efforts.set(joint, chooseEffort(joint, statedEffort(joint, findings), estimate, estimated));
  const same = sameArmature(posed, efforts);
  if (same !== null) {
    const values = [...efforts.values()].map(({ value }) => value);
    warnings.push(
      `armature: all joints of the model have ${same}, which is impossible for motors from ${Math.min(...values)} to ` +
        `${Math.max(...values)} Nm; values are estimated from their efforts`,
    );
  }
  const odd: OddServos = { stiff: [], soft: [], yielding: [] };
  for (const [joint, effort] of efforts) {
    const armature = suggestArmature(posed, joint, effort.value, same !== null, warnings);
    const load = loads.get(joint)!;
    const own = servoGains({ posed, joint, effort, load }, findings, odd);
    gains.set(joint.name, describeGains(own ?? rotorGains(joint, effort, armature, load), effort, armature));
  }
  if (odd.stiff.length > 0)
    warnings.push(
      `stiffness too high for the effort limit, reduced, because the servo only switches: ${shortList(odd.stiff)}`,
    );
  if (odd.soft.length > 0)
    warnings.push(
      `stiffness too low to use the effort limit, estimated from the armature instead: ${shortList(odd.soft)}`,
    );
  if (odd.yielding.length > 0)
    warnings.push(`stiffness too low for the weight of the robot, estimated instead: ${shortList(odd.yielding)}`);
  warnings.push(...effortWarnings(estimated, efforts.size));
  const passive = [...findings.passive].filter((name) => !findings.mimics.has(name));
  if (passive.length > 0) {
    warnings.push(
      `joints without an actuator in the model get no gains and stay passive: ${shortList(passive)}. Add actuators to the model file if they have motors`,
    );
  }
  return { gains, warnings };
}

/** Returns for each joint the larger one of its value and that of the same joint on the other side, so that both sides
 *  get equal gains: the masses and shapes of a real robot's sides differ a little. */
function evenSides<T>(values: ReadonlyMap<ModelJoint, T>, sizeOf: (value: T) => number): Map<ModelJoint, T> {
  const names = [...values.keys()].map(({ name }) => name);
  const all = [...values.values()];
  return new Map(
    [...values].map(([joint, own]) => {
      const wanted = otherSide(joint.name, names);
      const other = wanted === null ? undefined : all[names.indexOf(wanted)];
      return [joint, other !== undefined && sizeOf(other) > sizeOf(own) ? other : own];
    }),
  );
}

/** Joints whose effort limits are estimated. */
interface EstimatedEfforts {
  readonly missing: string[];
  /** joints with a placeholder in the model, with its value */
  readonly impossible: string[];
}

/** @param estimate used if the model states no effort or a placeholder */
function chooseEffort(
  { name, type }: ModelJoint,
  stated: Sourced | null,
  estimate: Sourced,
  { missing, impossible }: EstimatedEfforts,
): Effort {
  const isPlaceholder = stated !== null && type === 'hinge' && stated.value > PLACEHOLDER_EFFORT * estimate.value;
  if (stated !== null && !isPlaceholder) return { ...stated, isStated: true };
  if (stated === null) missing.push(name);
  else impossible.push(`${name} ${stated.value} Nm instead of ${estimate.value} Nm`);
  return { ...estimate, isStated: false };
}

function effortWarnings({ missing, impossible }: EstimatedEfforts, joints: number): string[] {
  const which = missing.length === joints ? 'any joint' : missing.join(', ');
  return [
    ...(missing.length > 0
      ? [
          `effort limits: the model does not state them for ${which}; they are estimated from masses and lengths. Replace them by the limits of the motors`,
        ]
      : []),
    ...(impossible.length > 0
      ? [
          `effort limits: those of the model are more than ${PLACEHOLDER_EFFORT} times the estimates from masses and lengths, which replace them: ${shortList(impossible)}. Enter the limits of the motors`,
        ]
      : []),
  ];
}

/** Returns the common armature if all joints have the same armature although their efforts differ widely; otherwise
 *  null. Such a value is a placeholder that stabilises the simulation. */
function sameArmature({ model }: PosedModel, efforts: ReadonlyMap<ModelJoint, Sourced>): number | null {
  const values = [...efforts.values()].map(({ value }) => value);
  const armatures = new Set([...efforts.keys()].map(({ id }) => model.dof_armature[model.jnt_dofadr[id]] as number));
  const [one = 0] = armatures;
  return armatures.size === 1 && one > 0 && Math.max(...values) > PLACEHOLDER_SPREAD * Math.min(...values) ? one : null;
}

function statedEffort({ name }: ModelJoint, { actuators, effortLimits }: ModelFindings): Sourced | null {
  const actuator = actuators.get(name);
  if (actuator?.effort) return { value: actuator.effort, source: `effort of actuator ${actuator.name || name}` };
  const limit = effortLimits.get(name);
  return limit && limit.value > 0 ? { value: limit.value, source: limit.source } : null;
}

/** Maps each joint from shoulder to elbow to the first joint of its arm, which carries the largest load. Arms use the
 *  same motor for these joints. */
function shoulderJoints(posed: PosedModel, arms: readonly Limb[]): Map<ModelJoint, ModelJoint> {
  const pairs = arms.flatMap((arm): [ModelJoint, ModelJoint][] => {
    // The arm's chain may end at the elbow if the hand is fixed to the forearm, so include the arm's tip.
    const middle = middleOf(posed, [...arm.chain, arm.end]);
    if (middle === undefined) return [];
    const upper = jointsOf(posed, arm).filter(({ body }) => arm.chain.indexOf(body) <= arm.chain.indexOf(middle));
    return upper.map((joint) => [joint, upper[0]!]);
  });
  return new Map(pairs);
}

function assumedEffort(posed: PosedModel, joint: ModelJoint, legs: number, isLeg: boolean): Sourced {
  const { model, tree } = posed;
  const [x, y, z] = posed.anchor(joint);
  const [cx, cy, cz] = posed.subtreeCentre(joint.body);
  const hanging: number = model.body_subtreemass[joint.body];
  const own = ASSUMED.limb * hanging * GRAVITY * Math.hypot(cx - x, cy - y, cz - z);
  let effort = own;
  let source = `assumed, ${ASSUMED.limb} × the weight torque of the bodies that it carries`;
  if (isLeg && legs >= 2) {
    const floor = posed.lowest();
    const height = posed.position(tree.root)[2] - floor;
    const weight = (model.body_subtreemass[tree.root] as number) * GRAVITY * height;
    if (legs > 2) {
      effort = Math.max(own, (ASSUMED.quadruped * weight) / (legs / 2));
    } else {
      const isAnkle = z - floor < ASSUMED.ankleHeight * height;
      effort = Math.max(own, ASSUMED.biped * (isAnkle ? ASSUMED.ankle : 1) * weight);
    }
    source = "assumed, from the robot's weight and height";
  }
  const clamped = Math.min(ASSUMED.most, Math.max(ASSUMED.least, effort));
  return { value: significant(clamped, 2), source };
}

function atLeast(effort: Sourced, least: number): Sourced {
  if (effort.value >= least) return effort;
  return { value: significant(least, 2), source: `assumed, ${ASSUMED.standing} × the torque of standing` };
}

/** Stiffness and damping with their source. */
interface ServoGains {
  readonly stiffness: number;
  readonly damping: number;
  readonly source: string;
}

function describeGains(servo: ServoGains, effort: Sourced, armature: Sourced): SuggestedGains {
  return {
    stiffness: significant(servo.stiffness),
    damping: significant(servo.damping),
    armature: significant(armature.value, 8),
    effort_limit: effort.value,
    source: `${servo.source}; effort ${effort.source}; armature ${armature.source}`,
  };
}

/** Servos of the model with implausible gains: one text for each, with joint and values. */
interface OddServos {
  readonly stiff: string[];
  readonly soft: string[];
  /** servos that bend too far under the weight of the robot */
  readonly yielding: string[];
}

interface LoadedJoint {
  readonly posed: PosedModel;
  readonly joint: ModelJoint;
  readonly effort: Effort;
  /** torque that holds the joint in the default pose, Nm (N for a slide) */
  readonly load: number;
}

/** Returns the gains of the model's position servo; null if there is no servo, or if it is too soft to hold the
 *  joint. */
function servoGains(
  { posed, joint, effort, load }: LoadedJoint,
  findings: ModelFindings,
  odd: OddServos,
): ServoGains | null {
  const actuator = findings.actuators.get(joint.name);
  if (!actuator?.stiffness) return null;
  const own = actuator.gainsOf === 'joint' ? 'the spring of the joint' : `actuator ${actuator.name || joint.name}`;
  const reach = servoReach({ effort_limit: effort.value, stiffness: actuator.stiffness });
  const stated = `${own} has ${significant(actuator.stiffness)} Nm/rad`;
  const reached = `${joint.name} (${stated}, so ${effort.value} Nm are reached at an error of ${significant(reach, 2)} rad)`;
  if (joint.type === 'hinge' && reach < REACH.fail) {
    const stiffness = stiffnessInReach(actuator.stiffness, effort.value);
    odd.stiff.push(reached);
    return { stiffness, damping: usualDamping(stiffness), source: `stiffness of ${own}, reduced` };
  }
  if (joint.type === 'hinge' && reach > (effort.isStated ? REACH.warn : FAR_REACH)) {
    odd.soft.push(reached);
    return null;
  }
  if (joint.type === 'hinge' && load > SAG.most * actuator.stiffness) {
    odd.yielding.push(`${joint.name} (${stated}, would sag by ${significant(load / actuator.stiffness, 2)} rad)`);
    return null;
  }
  const { stiffness } = actuator;
  const kept = actuator.damping ?? 0;
  // The joint's own damper remains, so a servo may need no damping. Add only the missing damping, but never zero.
  const jointDamping: number = posed.model.dof_damping[posed.model.jnt_dofadr[joint.id]];
  const missing = Math.max(jointDamping, usualDamping(stiffness) - jointDamping);
  return {
    stiffness,
    damping: kept > 0 ? kept : missing,
    source: `gains of ${own}${kept > 0 ? '' : ', with the missing damping added'}`,
  };
}

/** Returns gains for a natural frequency of 10 Hz with this rotor. Raises the stiffness if the weight bends the joint
 *  too far, and limits it to a plausible reach. */
function rotorGains(joint: ModelJoint, effort: Sourced, armature: Sourced, load: number): ServoGains {
  const swinging = armature.value * OMEGA ** 2;
  const wanted = load > SAG.accepted * swinging ? load / SAG.suggested : swinging;
  const stiffness = joint.type === 'hinge' ? stiffnessInReach(wanted, effort.value) : wanted;
  const bears = `stiffness for at most ${SAG.suggested} rad under ${significant(load, 2)} Nm of weight`;
  const swings = `armature at 10 Hz and damping ratio ${ZETA}`;
  const reaches = `stiffness for full effort at ${significant(effort.value / stiffness, 2)} rad`;
  return {
    stiffness,
    damping: usualDamping(stiffness),
    source: stiffness !== wanted ? reaches : wanted === swinging ? swings : bears,
  };
}

/** Returns the damping that gives the usual damping ratio at the usual frequency. */
function usualDamping(stiffness: number): number {
  return (2 * ZETA * stiffness) / OMEGA;
}

/** Suggests the armature, kg·m² (hinge) or kg (slide). */
function suggestArmature(
  { model }: PosedModel,
  joint: ModelJoint,
  effort: number,
  isPlaceholder: boolean,
  warnings: string[],
): Sourced {
  if (joint.type === 'slide') {
    return {
      value: effort / SLIDE_REACH / OMEGA ** 2,
      source: `so that ${SLIDE_REACH} m of deviation ask for all effort`,
    };
  }
  const usual = ARMATURE_PER_EFFORT * effort;
  const own: number = model.dof_armature[model.jnt_dofadr[joint.id]];
  const isUsual = own >= ARMATURE_SHARE.least * usual && own <= ARMATURE_SHARE.most * usual;
  if (isUsual && !isPlaceholder) return { value: own, source: 'of the model' };
  if (own > 0 && !isPlaceholder) {
    warnings.push(
      `${joint.name}: armature ${own} of the model is too ${own < usual ? 'small' : 'large'} for ${effort} Nm of effort; ${significant(usual)} is suggested`,
    );
  }
  return { value: usual, source: `assumed, ${ARMATURE_PER_EFFORT} kg·m² per Nm of effort` };
}

/** Returns rad (m) of target per unit of action. */
export function actionScale({
  stiffness,
  effort_limit: effort,
}: Pick<SuggestedGains, 'stiffness' | 'effort_limit'>): number {
  return significant((ACTION_SHARE * effort) / stiffness);
}

function significant(value: number, digits = 6): number {
  return Number(value.toPrecision(digits));
}
