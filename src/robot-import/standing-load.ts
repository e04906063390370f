import { clamp, cross, dot, subtract } from '../core/math/vector.ts';
import { pathTo } from '../robots/kinematics/body-tree.ts';
import type { ModelJoint, PosedModel } from '../robots/kinematics/posed-model.ts';

const GRAVITY = 9.81;

/** Deviations of a servo under the load of standing, rad (m). Above `accepted`, a suggested stiffness is raised until
 *  the deviation is `suggested`; the published gains of a G1 allow 0.23 at its ankles. Above `most`, a servo does not
 *  hold its pose. */
export const SAG = { suggested: 0.12, accepted: 0.3, most: 0.5 } as const;

/** Computes the torque (Nm; N for a slide) that holds each joint in the current pose: the larger of that in the air
 *  with a fixed base and that on the floor, where all feet carry equal weight.
 *
 *  On the floor, each foot is loaded at the middle of its width, and along x below the centre of mass as far as the
 *  foot reaches.
 *  @param feet moving bodies that stand on the floor; may be empty
 *  @returns torques by joint, never negative */
export function standingLoads(posed: PosedModel, feet: readonly number[]): Map<ModelJoint, number> {
  const { model, tree } = posed;
  const weight = GRAVITY * (model.body_subtreemass[tree.root] as number);
  const [centreX] = posed.subtreeCentre(tree.root);
  const soles = feet.flatMap((foot) => {
    const sole = posed.sole(foot);
    if (sole === null) return [];
    const at = [clamp(centreX, ...sole.x), (sole.y[0] + sole.y[1]) / 2, sole.z];
    return [{ path: pathTo(tree, foot), at }];
  });
  return new Map(
    posed.joints.map((joint) => {
      const hanging = GRAVITY * (model.body_subtreemass[joint.body] as number);
      const inAir = along(posed, joint, posed.subtreeCentre(joint.body), -hanging);
      const carried = soles.filter(({ path }) => path.includes(joint.body));
      const onFloor = carried.reduce((sum, { at }) => sum + along(posed, joint, at, weight / soles.length), inAir);
      return [joint, Math.max(Math.abs(inAir), Math.abs(onFloor))];
    }),
  );
}

/** Returns the torque (force) along a joint's axis of a vertical force, N, at a point. */
function along(posed: PosedModel, joint: ModelJoint, point: readonly number[], force: number): number {
  const axis = posed.axis(joint);
  if (joint.type === 'slide') return axis[2] * force;
  const arm = subtract([0, 0, 0], point, posed.anchor(joint));
  return dot(axis, cross([0, 0, 0], arm, [0, 0, force]));
}
