import type { MjData, MjModel } from './mujoco.ts';

/** mjtGeom */
const SPHERE = 2;
const CAPSULE = 3;
const ELLIPSOID = 4;
const CYLINDER = 5;
const BOX = 6;
const MESH = 7;

/** Computes the lowest and highest coordinate of a geom along one world axis, m. Exact for primitives; for a mesh, from
 *  its vertices. Planes and height fields have no extent: [Infinity, -Infinity].
 *  @param data after mj_kinematics  @param axis 0 x, 1 y, 2 z */
export function geomExtent(model: MjModel, data: MjData, geom: number, axis: 0 | 1 | 2): readonly [number, number] {
  const centre: number = data.geom_xpos[3 * geom + axis];
  const row = data.geom_xmat.subarray(9 * geom + 3 * axis, 9 * geom + 3 * axis + 3) as Float64Array;
  const [x, y, z] = row as unknown as [number, number, number];
  const [a, b, c] = model.geom_size.subarray(3 * geom, 3 * geom + 3) as unknown as [number, number, number];
  const around = (half: number): [number, number] => [centre - half, centre + half];
  switch (model.geom_type[geom]) {
    case SPHERE:
      return around(a);
    case CAPSULE:
      return around(Math.abs(z) * b + a);
    case ELLIPSOID:
      return around(Math.hypot(x * a, y * b, z * c));
    case CYLINDER:
      return around(Math.abs(z) * b + a * Math.hypot(x, y));
    case BOX:
      return around(Math.abs(x) * a + Math.abs(y) * b + Math.abs(z) * c);
    case MESH:
      return meshExtent(model, geom, centre, [x, y, z]);
    default:
      return [Infinity, -Infinity];
  }
}

function meshExtent(
  model: MjModel,
  geom: number,
  centre: number,
  [x, y, z]: readonly [number, number, number],
): readonly [number, number] {
  const mesh: number = model.geom_dataid[geom];
  if (mesh < 0) return [Infinity, -Infinity];
  const start = 3 * model.mesh_vertadr[mesh];
  const vertices = model.mesh_vert.subarray(start, start + 3 * model.mesh_vertnum[mesh]) as Float32Array;
  let low = Infinity;
  let high = -Infinity;
  for (let at = 0; at < vertices.length; at += 3) {
    const along = x * vertices[at]! + y * vertices[at + 1]! + z * vertices[at + 2]!;
    if (along < low) low = along;
    if (along > high) high = along;
  }
  return [centre + low, centre + high];
}

/** Returns whether a geom can collide with any other geom. */
export function collides(model: MjModel, geom: number): boolean {
  return model.geom_contype[geom] !== 0 || model.geom_conaffinity[geom] !== 0;
}

/** Returns points (n, 3), m, in the geom's frame, whose convex hull contains the geom. */
export function geomPoints(model: MjModel, geom: number): ArrayLike<number> {
  const mesh = model.geom_dataid[geom];
  if (model.geom_type[geom] === MESH && mesh >= 0) {
    const start = 3 * model.mesh_vertadr[mesh];
    return model.mesh_vert.subarray(start, start + 3 * model.mesh_vertnum[mesh]);
  }
  const box = model.geom_aabb.subarray(6 * geom, 6 * geom + 6) as Float64Array;
  const signs = [-1, 1];
  return signs.flatMap((x) =>
    signs.flatMap((y) => signs.flatMap((z) => [box[0]! + x * box[3]!, box[1]! + y * box[4]!, box[2]! + z * box[5]!])),
  );
}
