import * as quaternion from '../../core/math/quaternion.ts';
import { dot } from '../../core/math/vector.ts';
import type { Foot, Point } from '../../robots/kinematics/feet.ts';
import { geomPoints } from '../../sim/geom-extent.ts';
import type { MainModule, MjModel } from '../../sim/mujoco.ts';

/** A geom belongs to the sole if its lowest point is within this distance of the foot's lowest point, m. */
const SOLE_SLACK = 0.005;
/** Number of contact points with which a foot resists tilting in all directions. Spheres have one each. */
const CORNERS = 4;
/** values of mjGEOM_SPHERE, mjGEOM_CAPSULE, mjGEOM_BOX */
const SPHERE = 2;
const CAPSULE = 3;
const BOX = 6;

/** Keeps all contacts, but few geoms per foot: those of the sole that {@link soleGeoms} returns. A foot of many geoms
 *  has many contact points while it stands, and each takes time: a step of a G1 takes 0.7 of the time of all contacts.
 *  Contacts between the limbs stay. Without them, a policy learns a dance with arms that pass through the legs. Changes
 *  the model. */
export function keepLightContacts(mj: MainModule, model: MjModel, feet: readonly Foot[]): void {
  disableMidphase(mj, model);
  for (const foot of feet) {
    const kept = soleGeoms(model, foot);
    const body = foot.body + 1;
    const [first, count] = [model.body_geomadr[body] as number, model.body_geomnum[body] as number];
    for (let geom = first; geom < first + count; geom++) {
      if (kept.includes(geom)) continue;
      model.geom_contype[geom] = 0;
      model.geom_conaffinity[geom] = 0;
    }
  }
}

/** Disables all contacts except those of the soles with the ground. Keeps the same geoms of the soles as
 *  {@link keepLightContacts}. A step of a G1 takes 0.6 of the time of all contacts. A robot without soles keeps all
 *  contacts. Changes the model. */
export function keepSoleContacts(mj: MainModule, model: MjModel, feet: readonly Foot[]): void {
  disableMidphase(mj, model);
  const kept = new Set(feet.flatMap((foot) => soleGeoms(model, foot)));
  if (kept.size === 0) return; // no feet, or feet without shapes: the robot would fall through the floor
  for (let geom = 0; geom < model.ngeom; geom++) {
    if (model.geom_bodyid[geom] === 0) continue; // the ground
    // A geom of type 0 with affinity 1 collides with the ground (type 1), but not with other soles.
    model.geom_contype[geom] = 0;
    model.geom_conaffinity[geom] = kept.has(geom) ? 1 : 0;
  }
  // The broad phase uses collision masks of bodies, which the compiler computed from the geoms. Change them too.
  for (let body = 1; body < model.nbody; body++) {
    const [first, count] = [model.body_geomadr[body] as number, model.body_geomnum[body] as number];
    model.body_contype[body] = 0;
    model.body_conaffinity[body] = Array.from({ length: count }, (_, k) => first + k).some((geom) => kept.has(geom))
      ? 1
      : 0;
  }
}

/** Disables the tree of bounding boxes of each body. With few geoms per body, it costs more time than it saves. */
function disableMidphase(mj: MainModule, model: MjModel): void {
  model.opt.disableflags |= mj.mjtDisableBit.mjDSBL_MIDPHASE.value;
}

/** A point of a foot, m, in the frame of the foot. */
export interface FootPoint {
  /** without the world */
  readonly body: number;
  readonly at: Point;
}

/** Returns the points where soles can touch the ground, m, in the frames of the feet. Call it after
 *  {@link keepSoleContacts}. */
export function solePoints(model: MjModel, feet: readonly Foot[]): FootPoint[] {
  return feet.flatMap((foot) =>
    soleGeoms(model, foot).flatMap((geom) => contactPoints(model, geom, foot).map((at) => ({ body: foot.body, at }))),
  );
}

/** Returns the geoms of a sole that replace all of its geoms: all, if they have at most four contact points; else the
 *  two whose contact points enclose the largest rectangle. */
function soleGeoms(model: MjModel, foot: Foot): number[] {
  const body = foot.body + 1;
  const colliding = Array.from({ length: model.ngeom as number }, (_, geom) => geom).filter(
    (geom) =>
      model.geom_bodyid[geom] === body && (model.geom_contype[geom] !== 0 || model.geom_conaffinity[geom] !== 0),
  );
  const points = new Map(colliding.map((geom) => [geom, contactPoints(model, geom, foot)]));
  const lowestOf = (geom: number) => Math.min(...points.get(geom)!.map((point) => heightOf(point, foot)));
  const lowest = Math.min(...colliding.map(lowestOf));
  const sole = colliding.filter((geom) => lowestOf(geom) <= lowest + SOLE_SLACK);
  const count = sole.reduce((sum, geom) => sum + points.get(geom)!.length, 0);
  if (sole.length <= 2 || count <= CORNERS) return sole;
  let best: number[] = sole.slice(0, 2);
  let widest = -1;
  for (const [k, first] of sole.entries()) {
    for (const second of sole.slice(k + 1)) {
      const area = rectangleOf([...points.get(first)!, ...points.get(second)!], foot);
      if (area <= widest) continue;
      widest = area;
      best = [first, second];
    }
  }
  return best;
}

/** Returns the points where a geom of a foot touches the floor on which the foot stands, m, in the frame of the
 *  foot. */
function contactPoints(model: MjModel, geom: number, foot: Foot): Point[] {
  const down = foot.axes[2];
  const center = model.geom_pos.slice(3 * geom, 3 * geom + 3) as Float64Array;
  const turn = model.geom_quat.slice(4 * geom, 4 * geom + 4) as Float64Array;
  const [a, b, c] = model.geom_size.slice(3 * geom, 3 * geom + 3) as unknown as [number, number, number];
  const at = (x: number, y: number, z: number, drop: number): Point => {
    const p = quaternion.rotate([0, 0, 0], turn, [x, y, z]);
    return [
      center[0]! + p[0]! + drop * down[0],
      center[1]! + p[1]! + drop * down[1],
      center[2]! + p[2]! + drop * down[2],
    ];
  };
  switch (model.geom_type[geom]) {
    case SPHERE:
      return [at(0, 0, 0, a)];
    case CAPSULE:
      return [at(0, 0, b, a), at(0, 0, -b, a)];
    case BOX:
      return [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => at(x * a, y * b, z * c, 0))));
    default: {
      // MuJoCo turns the frame of a mesh to its principal axes, so its z axis need not point up from the sole.
      const local = geomPoints(model, geom);
      const points = Array.from({ length: local.length / 3 }, (_, k) =>
        at(local[3 * k]!, local[3 * k + 1]!, local[3 * k + 2]!, 0),
      );
      return lowestCorners(points, foot);
    }
  }
}

/** Returns the outermost of the lowest points in each of the four diagonal directions along the sole. */
function lowestCorners(points: readonly Point[], foot: Foot): Point[] {
  const lowest = points.reduce((least, point) => Math.min(least, heightOf(point, foot)), Number.POSITIVE_INFINITY);
  const low = points.filter((point) => heightOf(point, foot) <= lowest + SOLE_SLACK);
  if (low.length <= CORNERS) return low;
  const [first, second] = foot.axes;
  const corners = [-1, 1].flatMap((a) =>
    [-1, 1].map((b) => {
      const reach = (point: Point) => a * dot(point, first) + b * dot(point, second);
      return low.reduce((best, point) => (reach(point) > reach(best) ? point : best));
    }),
  );
  return [...new Set(corners)];
}

/** Returns the height of a point above the origin of the foot while the foot stands, m. */
function heightOf(point: Point, { axes }: Foot): number {
  return -dot(point, axes[2]);
}

function rectangleOf(points: readonly Point[], { axes }: Foot): number {
  const span = (axis: 0 | 1) => {
    const values = points.map((point) => dot(point, axes[axis]));
    return Math.max(...values) - Math.min(...values);
  };
  return span(0) * span(1);
}
