import { clamp, cross, dot, subtract } from '../core/math/vector.ts';
import { pathTo } from '../robots/kinematics/body-tree.ts';
import type { ModelJoint, PosedModel } from '../robots/kinematics/posed-model.ts';

const GRAVITY = 9.81;

/** Limits for the deviation of a servo under the load of standing, rad (m). If the deviation is above `accepted`, a
 *  suggested stiffness is raised until the deviation is `suggested`; the published gains of a G1 allow 0.23 at its
 *  ankles. Above `most`, a servo does not hold its pose. */
export const SAG = { suggested: 0.12, accepted: 0.25, most: 0.5 } as const;

/** Computes the torque (Nm; N for a slide) that holds each joint in the current pose: the larger of the torque in the
 * air with a fixed base and the torque on the floor, where the feet share the weight so that the robot is balanced.
 *
 *  On the floor, each foot is loaded at the middle of its width, and along x below the centre of mass as far as the
 *  foot reaches.
 *  @param feet moving bodies that stand on the floor; may be empty
 *  @returns torques by joint, never negative */
export function standingLoads(posed: PosedModel, feet: readonly number[]): Map<ModelJoint, number> {
  const { model, tree } = posed;
  const weight = GRAVITY * (model.body_subtreemass[tree.root] as number);
  const centre = posed.subtreeCentre(tree.root);
  const soles = feet.flatMap((foot) => {
    const sole = posed.sole(foot);
    if (sole === null) return [];
    const at = [clamp(centre[0], ...sole.x), (sole.y[0] + sole.y[1]) / 2, sole.z];
    return [{ path: pathTo(tree, foot), at }];
  });
  const shares = sharesOf(
    soles.map(({ at }) => at),
    centre,
  );
  return new Map(
    posed.joints.map((joint) => {
      const hanging = GRAVITY * (model.body_subtreemass[joint.body] as number);
      const inAir = along(posed, joint, posed.subtreeCentre(joint.body), -hanging);
      const onFloor = soles.reduce(
        (sum, { path, at }, k) =>
          path.includes(joint.body) ? sum + along(posed, joint, at, weight * shares[k]!) : sum,
        inAir,
      );
      return [joint, Math.max(Math.abs(inAir), Math.abs(onFloor))];
    }),
  );
}

/** Returns the share of the weight on each point, so that it balances about both horizontal axes: the equal shares,
 *  changed linearly with the position. Negative shares become zero. */
function sharesOf(points: readonly (readonly number[])[], centre: readonly number[]): number[] {
  const count = points.length;
  const mean = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis]!, 0) / count);
  const off = points.map((point) => [point[0]! - mean[0]!, point[1]! - mean[1]!] as const);
  const moment = (i: 0 | 1, k: 0 | 1) => off.reduce((sum, point) => sum + point[i] * point[k], 0);
  const [xx, xy, yy] = [moment(0, 0), moment(0, 1), moment(1, 1)];
  const [x, y] = [centre[0]! - mean[0]!, centre[1]! - mean[1]!];
  const determinant = xx * yy - xy * xy;
  // Feet on one line balance along this line only.
  const isLine = !(determinant > 1e-6 * (xx + yy) ** 2);
  const slopes = isLine
    ? [x * xx + y * xy, x * xy + y * yy].map((value) => value / Math.max(1e-12, (xx + yy) ** 2))
    : [(x * yy - y * xy) / determinant, (y * xx - x * xy) / determinant];
  const shares = off.map((point) => Math.max(0, 1 / count + slopes[0]! * point[0] + slopes[1]! * point[1]));
  const total = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / total);
}

/** Returns the torque (force) along a joint's axis of a vertical force, N, at a point. */
function along(posed: PosedModel, joint: ModelJoint, point: readonly number[], force: number): number {
  const axis = posed.axis(joint);
  if (joint.type === 'slide') return axis[2] * force;
  const arm = subtract([0, 0, 0], point, posed.anchor(joint));
  return dot(axis, cross([0, 0, 0], arm, [0, 0, force]));
}
