import * as quaternion from '../../core/math/quaternion.ts';
import type { MainModule, MjModel } from '../../sim/mujoco.ts';

/** A geom belongs to the sole if its lowest point is within this distance of the foot's lowest point, m. */
const SOLE_SLACK = 0.005;
/** Number of contact points with which a foot resists tilting in all directions. Spheres have one each. */
const CORNERS = 4;
/** values of mjGEOM_SPHERE, mjGEOM_CAPSULE, mjGEOM_BOX */
const SPHERE = 2;
const CAPSULE = 3;
const BOX = 6;

/** Keeps all contacts, but few geoms per foot: those of the sole that {@link soleGeoms} returns. A foot of many geoms has
 *  many contact points while it stands, and each takes time: a step of a G1 takes 0.7 of the time of all contacts.
 *  Contacts between the limbs stay. Without them, a policy learns a dance with arms that pass through the legs. Changes
 *  the model. @param feet bodies without the world */
export function keepLightContacts(mj: MainModule, model: MjModel, feet: readonly number[]): void {
  disableMidphase(mj, model);
  for (const body of feet.map((foot) => foot + 1)) {
    const kept = soleGeoms(model, body);
    const [first, count] = [model.body_geomadr[body] as number, model.body_geomnum[body] as number];
    for (let geom = first; geom < first + count; geom++) {
      if (kept.includes(geom)) continue;
      model.geom_contype[geom] = 0;
      model.geom_conaffinity[geom] = 0;
    }
  }
}

/** Disables all contacts except those of the soles with the ground. Keeps the same geoms of the soles as
 *  {@link keepLightContacts}. A step of a G1 takes 0.6 of the time of all contacts. Changes the model.
 *  @param feet bodies without the world */
export function keepSoleContacts(mj: MainModule, model: MjModel, feet: readonly number[]): void {
  disableMidphase(mj, model);
  const kept = new Set(feet.flatMap((foot) => soleGeoms(model, foot + 1)));
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
 *  {@link keepSoleContacts}. @param feet bodies without the world */
export function solePoints(model: MjModel, feet: readonly number[]): FootPoint[] {
  return feet.flatMap((body) =>
    soleGeoms(model, body + 1).flatMap((geom) => contactPoints(model, geom).map((at) => ({ body, at }))),
  );
}

/** Returns the geoms of a sole that replace all of its geoms: all, if they have at most four contact points; else the
 *  two whose contact points enclose the largest rectangle. @param body of the model */
function soleGeoms(model: MjModel, body: number): number[] {
  const colliding = Array.from({ length: model.ngeom as number }, (_, geom) => geom).filter(
    (geom) =>
      model.geom_bodyid[geom] === body && (model.geom_contype[geom] !== 0 || model.geom_conaffinity[geom] !== 0),
  );
  const points = new Map(colliding.map((geom) => [geom, contactPoints(model, geom)]));
  const lowestOf = (geom: number) => Math.min(...points.get(geom)!.map(([, , z]) => z));
  const lowest = Math.min(...colliding.map(lowestOf));
  const sole = colliding.filter((geom) => lowestOf(geom) <= lowest + SOLE_SLACK);
  const count = sole.reduce((sum, geom) => sum + points.get(geom)!.length, 0);
  if (sole.length <= 2 || count <= CORNERS) return sole;
  let best: number[] = sole.slice(0, 2);
  let widest = -1;
  for (const [k, first] of sole.entries()) {
    for (const second of sole.slice(k + 1)) {
      const area = rectangleOf([...points.get(first)!, ...points.get(second)!]);
      if (area <= widest) continue;
      widest = area;
      best = [first, second];
    }
  }
  return best;
}

type Point = readonly [number, number, number];

/** Returns the points where a geom touches a floor perpendicular to the z axis of its body, m, body frame. */
function contactPoints(model: MjModel, geom: number): Point[] {
  const center = model.geom_pos.slice(3 * geom, 3 * geom + 3) as Float64Array;
  const turn = model.geom_quat.slice(4 * geom, 4 * geom + 4) as Float64Array;
  const [a, b, c] = model.geom_size.slice(3 * geom, 3 * geom + 3) as unknown as [number, number, number];
  const at = (x: number, y: number, z: number, drop: number): Point => {
    const p = quaternion.rotate([0, 0, 0], turn, [x, y, z]);
    return [center[0]! + p[0]!, center[1]! + p[1]!, center[2]! + p[2]! - drop];
  };
  switch (model.geom_type[geom]) {
    case SPHERE:
      return [at(0, 0, 0, a)];
    case CAPSULE:
      return [at(0, 0, b, a), at(0, 0, -b, a)];
    case BOX:
      return [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => at(x * a, y * b, z * c, 0))));
    default: {
      const box = model.geom_aabb.slice(6 * geom, 6 * geom + 6) as Float64Array;
      return [-1, 1].flatMap((x) =>
        [-1, 1].map((y) => at(box[0]! + x * box[3]!, box[1]! + y * box[4]!, box[2]! - box[5]!, 0)),
      );
    }
  }
}

function rectangleOf(points: readonly Point[]): number {
  const span = (axis: 0 | 1) => {
    const values = points.map((point) => point[axis]);
    return Math.max(...values) - Math.min(...values);
  };
  return span(0) * span(1);
}
