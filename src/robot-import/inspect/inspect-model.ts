import type { Joint, RobotSpec } from '../../protocol/schemas/robots.ts';
import { PosedModel } from '../../robots/kinematics/posed-model.ts';
import type { MainModule, MjModel } from '../../sim/mujoco.ts';
import { suggestPose } from './default-pose.ts';
import type { Inspection, ModelFindings, RobotDraft } from './inspection.ts';
import { suggestContacts } from './suggest-contacts.ts';
import { actionScale, suggestGains } from './suggest-gains.ts';
import { suggestWiring, tipOf } from './suggest-wiring.ts';

/** Reads a model and suggests everything that makes it a robot: default pose, wiring, gains, contacts, each with its
 *  reason.
 *
 *  @param model compiled from a prepared model, free base, before actuators are added; it stays the caller's and as it is
 *  @param findings what preparing it told; its warnings come first in the answer's */
export function inspectModel(mj: MainModule, model: MjModel, findings: ModelFindings, draft: RobotDraft): Inspection {
  const posed = new PosedModel(mj, model);
  try {
    const pose = suggestPose(posed, findings);
    const { wiring, endEffectors, limbs, reasons, warnings: wiringWarnings } = suggestWiring(posed);
    const { gains, warnings: gainWarnings } = suggestGains(posed, findings, limbs);
    const { contacts, reason, warnings: contactWarnings } = suggestContacts(posed, limbs.legs);
    const soles = limbs.legs.map((leg) => posed.position(tipOf(posed, leg))[2] - posed.extent(leg.end, 2)[0]);
    const joints = posed.joints.map((joint, index): Joint => {
      const suggested = gains.get(joint.name);
      const value = pose.joints.get(joint.name)!;
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
    const lowest = posed.lowest();
    const spec: RobotSpec = {
      version: 1,
      id: draft.id,
      name: draft.name ?? draft.id,
      model: draft.model,
      wiring,
      root_height: Number.isFinite(lowest) ? rounded(posed.position(posed.tree.root)[2] - lowest) : 0,
      end_effectors: [...endEffectors],
      ...(soles.length > 0 && soles.every(Number.isFinite) ? { foot_sole_z: soleBelow(soles) } : {}),
      contacts,
      joints: Object.fromEntries(
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
      ),
    };
    const { names } = posed.tree;
    return {
      bodies: Array.from({ length: model.nbody - 1 }, (_, k) => ({
        name: names[k + 1]!,
        parent: model.body_parentid[k + 1] === 0 ? null : names[model.body_parentid[k + 1]]!,
        mass: model.body_mass[k + 1],
      })),
      joints,
      wiring,
      gains: Object.fromEntries(gains),
      spec,
      reasons: { ...reasons, pose: pose.reason, contacts: reason },
      warnings: [...findings.warnings, ...wiringWarnings, ...gainWarnings, ...contactWarnings],
    };
  } finally {
    posed.delete();
  }
}

/** m from the feet's frames down to their soles, which the spec has one figure for. */
function soleBelow(soles: readonly number[]): number {
  return Math.max(0, rounded(soles.reduce((sum, one) => sum + one, 0) / soles.length));
}

/** to 0.01 mm */
function rounded(length: number): number {
  return Number(length.toFixed(5));
}
