import type { Joint, RobotSpec } from '../../protocol/schemas/robots.ts';
import { PosedModel } from '../../robots/kinematics/posed-model.ts';
import type { MainModule, MjModel } from '../../sim/mujoco.ts';
import { suggestPose } from './default-pose.ts';
import type { Inspection, ModelFindings, RobotDraft, SuggestedGains } from './inspection.ts';
import type { Limb } from './limbs.ts';
import { suggestContacts } from './suggest-contacts.ts';
import { actionScale, suggestGains } from './suggest-gains.ts';
import { suggestWiring, tipOf } from './suggest-wiring.ts';

/** Reads a model and suggests a spec: default pose, wiring, gains and contacts, each with its reason.
 *
 *  @param model model compiled from a prepared model with a free base, before actuators are added; it is neither
 *  changed nor deleted @param findings results of preparing the model; the result lists their warnings first */
export function inspectModel(mj: MainModule, model: MjModel, findings: ModelFindings, draft: RobotDraft): Inspection {
  const posed = new PosedModel(mj, model);
  try {
    const pose = suggestPose(posed, findings);
    const { wiring, endEffectors, limbs, reasons, warnings: wiringWarnings } = suggestWiring(posed);
    const { gains, warnings: gainWarnings } = suggestGains(posed, findings, limbs);
    const { contacts, reason, warnings: contactWarnings } = suggestContacts(posed, limbs.legs);
    const joints = describeJoints(posed, pose.joints, gains, findings);
    const spec: RobotSpec = {
      version: 1,
      id: draft.id,
      name: draft.name ?? draft.id,
      model: draft.model,
      wiring,
      root_height: rootHeight(posed),
      end_effectors: [...endEffectors],
      ...footSole(posed, limbs.legs),
      contacts,
      joints: jointSpecs(joints, gains),
    };
    return {
      bodies: describeBodies(posed),
      joints,
      wiring,
      gains: Object.fromEntries(gains),
      spec,
      reasons: { ...reasons, pose: pose.reason, contacts: reason },
      warnings: [
        ...findings.warnings,
        ...facingWarnings(posed),
        ...pose.warnings,
        ...wiringWarnings,
        ...gainWarnings,
        ...contactWarnings,
      ],
    };
  } finally {
    posed.delete();
  }
}

const WAYS = ['x', 'y', '−x', '−y'] as const;

function facingWarnings({ facing, tree }: PosedModel): string[] {
  if (facing === 0) return [];
  return [
    `the robot faces ${WAYS[facing]} of its root body ${tree.names[tree.root]}, not x: commands forwards and headings refer ` +
      'to x. Turn the contents of the root in the model file, unless your clips have the same root',
  ];
}

function describeBodies({ model, tree: { names } }: PosedModel): Inspection['bodies'] {
  return Array.from({ length: model.nbody - 1 }, (_, k) => ({
    name: names[k + 1]!,
    parent: model.body_parentid[k + 1] === 0 ? null : names[model.body_parentid[k + 1]]!,
    mass: model.body_mass[k + 1],
  }));
}

/** @param pose rad or m by joint name */
function describeJoints(
  posed: PosedModel,
  pose: ReadonlyMap<string, number>,
  gains: ReadonlyMap<string, SuggestedGains>,
  findings: ModelFindings,
): Joint[] {
  return posed.joints.map((joint, index): Joint => {
    const suggested = gains.get(joint.name);
    const value = pose.get(joint.name)!;
    const follows = findings.mimics.get(joint.name)?.joint;
    return {
      name: joint.name,
      index,
      type: joint.type,
      lower: joint.lower,
      upper: joint.upper,
      default: value,
      value,
      effort_limit: suggested?.effort_limit ?? null,
      velocity_limit: findings.velocityLimits.get(joint.name) ?? null,
      stiffness: suggested?.stiffness ?? 0,
      damping: suggested?.damping ?? 0,
      unit: joint.type === 'slide' ? 'm' : 'rad',
      ...(follows === undefined ? {} : { follows }),
    };
  });
}

function jointSpecs(joints: readonly Joint[], gains: ReadonlyMap<string, SuggestedGains>): RobotSpec['joints'] {
  return Object.fromEntries(
    joints.flatMap(({ name, default: value, velocity_limit: velocityLimit }) => {
      const suggested = gains.get(name);
      if (!suggested) return [];
      const { source: _, ...numbers } = suggested;
      return [
        [
          name,
          {
            default: value,
            ...numbers,
            action_scale: actionScale(suggested),
            ...(velocityLimit !== null && velocityLimit > 0 ? { velocity_limit: velocityLimit } : {}),
          },
        ],
      ];
    }),
  );
}

/** Returns the height of the root's origin above the robot's lowest point, m; 0 for a robot without shapes. */
function rootHeight(posed: PosedModel): number {
  const lowest = posed.lowest();
  return Number.isFinite(lowest) ? rounded(posed.position(posed.tree.root)[2] - lowest) : 0;
}

/** Returns the mean distance from the origins of the feet down to their soles, m. The spec has one number for all
 *  feet. */
function footSole(posed: PosedModel, legs: readonly Limb[]): Pick<RobotSpec, 'foot_sole_z'> {
  const soles = legs.map((leg) => posed.position(tipOf(posed, leg))[2] - posed.extent(leg.end, 2)[0]);
  if (soles.length === 0 || !soles.every(Number.isFinite)) return {};
  return { foot_sole_z: Math.max(0, rounded(soles.reduce((sum, one) => sum + one, 0) / soles.length)) };
}

/** Rounds a length to 0.01 mm. */
function rounded(length: number): number {
  return Number(length.toFixed(5));
}
