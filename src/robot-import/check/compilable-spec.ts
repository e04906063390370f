import type { JointSpec, RobotSpec } from '../../protocol/schemas/robots.ts';
import type { MainModule, MjSpec } from '../../sim/mujoco.ts';
import { elementNames } from '../../sim/spec-elements.ts';

export interface Names {
  readonly bodies: ReadonlySet<string>;
  readonly joints: ReadonlySet<string>;
}

export function namesOf(mj: MainModule, mjSpec: MjSpec): Names {
  const { mjOBJ_BODY, mjOBJ_JOINT } = mj.mjtObj;
  const bodies = new Set(elementNames(mj, mjSpec, mjOBJ_BODY));
  bodies.delete('world');
  return { bodies, joints: new Set(elementNames(mj, mjSpec, mjOBJ_JOINT)) };
}

/** Returns a copy of the spec without unknown names and non-finite numbers, so that the model compiles. Each removed
 *  value fails its own check, while the later checks can still run. */
export function compilableSpec(spec: RobotSpec, { bodies, joints }: Names): RobotSpec {
  const known = (list: readonly string[]) => list.filter((body) => bodies.has(body));
  const { exclude = [], ...contacts } = spec.contacts ?? {};
  return {
    ...spec,
    wiring: {
      anchor: bodies.has(spec.wiring.anchor) ? spec.wiring.anchor : [...bodies][0]!,
      keybodies: known(spec.wiring.keybodies),
      feet: known(spec.wiring.feet),
    },
    end_effectors: known(spec.end_effectors ?? []),
    contacts: {
      ...contacts,
      exclude: exclude.filter(([first, second]) => first !== second && bodies.has(first) && bodies.has(second)),
    },
    joints: Object.fromEntries(
      Object.entries(spec.joints).flatMap(([name, joint]) => (joints.has(name) ? [[name, mendJoint(joint)]] : [])),
    ),
  };
}

function mendJoint(joint: JointSpec): JointSpec {
  const number = (value: number, otherwise: number) => (Number.isFinite(value) ? value : otherwise);
  return {
    ...joint,
    default: number(joint.default, 0),
    stiffness: number(joint.stiffness, 0),
    damping: number(joint.damping, 0),
    armature: Math.max(0, number(joint.armature, 0)),
    // MuJoCo refuses an empty force range, so a limit of 0 is replaced.
    effort_limit: Math.max(1e-6, number(joint.effort_limit, 1e-6)),
  };
}
