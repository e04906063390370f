import { fromYaw } from '../../core/math/quaternion.ts';
import { sideOf } from '../../protocol/part-sides.ts';
import { findContacts } from '../../sim/contacts.ts';
import { collides, geomExtent, geomPoints } from '../../sim/geom-extent.ts';
import { type MainModule, type MjData, type MjModel, nameAt } from '../../sim/mujoco.ts';
import type { Mimic } from '../prepare/prepared-model.ts';
import { type BodyTree, FREE_JOINT, readBodyTree } from './body-tree.ts';

/** mjJNT_SLIDE */
const SLIDE = 2;
/** Minimum distance between left and right bodies from which the direction that the robot faces can be determined,
 *  m. */
const APART = 0.02;
/** Points of a body up to this height above its lowest point belong to its sole, m. */
const SOLE_DEPTH = 0.01;
/** contype and conaffinity that make all geoms with this value collide with each other. */
const EVERYTHING = 1;

/** A hinge or slide joint of the model. */
export interface ModelJoint {
  readonly name: string;
  /** index of the joint in the model */
  readonly id: number;
  readonly type: 'hinge' | 'slide';
  readonly body: number;
  /** rad or m; null if unlimited */
  readonly lower: number | null;
  readonly upper: number | null;
}

export interface Overlap {
  readonly bodies: readonly [number, number];
  /** depth of the deepest contact between the two bodies, m */
  readonly depth: number;
}

export interface Sole {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
  readonly z: number;
}

/** A compiled model in a pose. The root is upright at the origin, and the robot faces x. Owns its MjData, not the
 *  model. Lengths in m, world frame (x forward, y left, z up). */
export class PosedModel {
  readonly model: MjModel;
  readonly tree: BodyTree;
  /** number of quarter turns about z from the root's x axis to the direction that the robot faces: 0 for x, 1 for y */
  readonly facing: number;
  /** in qpos order, without the free joint */
  readonly joints: readonly ModelJoint[];
  readonly #mj: MainModule;
  readonly #data: MjData;
  /** geoms that determine the extent of each moving body, by body */
  readonly #geoms: ReadonlyMap<number, readonly number[]>;

  constructor(mj: MainModule, model: MjModel) {
    this.#mj = mj;
    this.model = model;
    this.tree = readBodyTree(model);
    this.joints = readJoints(model);
    this.#data = new mj.MjData(model);
    this.#geoms = geomsOfCarriers(model, this.tree);
    this.facing = 0;
    this.pose(new Map());
    this.facing = facingOf(this.tree, (body) => this.position(body));
    if (this.facing !== 0) this.pose(new Map());
  }

  /** Sets the joints and computes the kinematics. Joints that `values` does not name are set to zero, clamped to their
   *  range.
   *  @param values rad or m by joint name, clamped to the range */
  pose(values: ReadonlyMap<string, number>): void {
    const { model } = this;
    const qpos = this.#data.qpos as Float64Array;
    qpos.set(model.qpos0);
    const turn = fromYaw([1, 0, 0, 0], (-this.facing * Math.PI) / 2);
    for (let j = 0; j < model.njnt; j++) {
      if (model.jnt_type[j] === FREE_JOINT) qpos.set([0, 0, 0, ...turn], model.jnt_qposadr[j]);
    }
    for (const joint of this.joints)
      qpos[model.jnt_qposadr[joint.id]] = withinRange(joint, values.get(joint.name) ?? 0);
    this.#mj.mj_kinematics(model, this.#data);
    this.#mj.mj_comPos(model, this.#data);
  }

  position(body: number): readonly [number, number, number] {
    return vector(this.#data.xpos, body);
  }

  /** Returns the centre of mass of a body with all its descendants, m. */
  subtreeCentre(body: number): readonly [number, number, number] {
    return vector(this.#data.subtree_com, body);
  }

  axis(joint: ModelJoint): readonly [number, number, number] {
    return vector(this.#data.xaxis, joint.id);
  }

  anchor(joint: ModelJoint): readonly [number, number, number] {
    return vector(this.#data.xanchor, joint.id);
  }

  /** Returns the lowest and highest coordinate, along a world axis, of a moving body with the bodies fixed to it, m;
   *  [Infinity, −Infinity] without geoms. */
  extent(carrier: number, axis: 0 | 1 | 2): readonly [number, number] {
    let low = Infinity;
    let high = -Infinity;
    for (const geom of this.#geoms.get(carrier) ?? []) {
      const [from, to] = geomExtent(this.model, this.#data, geom, axis);
      low = Math.min(low, from);
      high = Math.max(high, to);
    }
    return [low, high];
  }

  /** Returns z of the lowest point of a body without the bodies fixed to it, m; Infinity without geoms. */
  lowestOf(body: number): number {
    const own = this.#geoms.get(this.tree.carrierOf[body]!)?.filter((geom) => this.model.geom_bodyid[geom] === body);
    return Math.min(...(own ?? []).map((geom) => geomExtent(this.model, this.#data, geom, 2)[0]));
  }

  /** Returns the part of a moving body with which it stands on the floor: the ranges along world x and y of its points
   *  near its lowest point, and the height of that point, m; null without geoms. */
  sole(carrier: number): Sole | null {
    const { model } = this;
    const { geom_xpos: positions, geom_xmat: rotations } = this.#data;
    const points = (this.#geoms.get(carrier) ?? []).flatMap((geom) => {
      const local = geomPoints(model, geom);
      const at = (axis: number, k: number): number =>
        positions[3 * geom + axis] +
        [0, 1, 2].reduce((sum, j) => sum + rotations[9 * geom + 3 * axis + j] * local[k + j]!, 0);
      return Array.from({ length: local.length / 3 }, (_, k) => [at(0, 3 * k), at(1, 3 * k), at(2, 3 * k)] as const);
    });
    if (points.length === 0) return null;
    const z = points.reduce((low, point) => Math.min(low, point[2]), Infinity);
    const low = points.filter((point) => point[2] <= z + SOLE_DEPTH);
    const range = (axis: 0 | 1): [number, number] =>
      low.reduce<[number, number]>(
        ([from, to], point) => [Math.min(from, point[axis]), Math.max(to, point[axis])],
        [Infinity, -Infinity],
      );
    return { x: range(0), y: range(1), z };
  }

  /** Returns z of the lowest point of the whole robot, m; Infinity without geoms. */
  lowest(): number {
    return Math.min(...this.tree.carriers.map((carrier) => this.extent(carrier, 2)[0]));
  }

  /** Lists the pairs of the robot's bodies that overlap by more than `deeperThan` m, deepest first. Tests each geom
   *  that has a collision mask against all others, as a spec with `self_collision` does. Skips pairs of parent and
   *  child, and pairs that the model excludes.
   *  @throws bad_input if they overlap at too many points */
  overlaps(deeperThan: number): Overlap[] {
    const { model } = this;
    const { carrierOf } = this.tree;
    // Get the views again for each use, because MuJoCo's heap may grow during collision detection, which detaches them.
    const masks = (): readonly (readonly [types: Int32Array, affinities: Int32Array])[] => [
      [model.geom_contype, model.geom_conaffinity],
      [model.body_contype, model.body_conaffinity],
    ];
    const bodyOfGeom = Int32Array.from(model.geom_bodyid as Int32Array);
    const kept = masks().map((pair) => pair.map((view) => view.slice()));
    const [ofGeoms, ofBodies] = masks();
    // Exclude geoms of the world, such as a floor, because they are not part of the robot. A geom collides if either
    // mask is set.
    const open = ([types, affinities]: readonly [Int32Array, Int32Array], isRobot: (k: number) => boolean) => {
      for (let k = 0; k < types.length; k++) {
        const mask = (types[k] !== 0 || affinities[k] !== 0) && isRobot(k) ? EVERYTHING : 0;
        types[k] = mask;
        affinities[k] = mask;
      }
    };
    open(ofGeoms!, (geom) => carrierOf[bodyOfGeom[geom]!] !== 0);
    open(ofBodies!, (body) => carrierOf[body] !== 0);
    try {
      const deepest = new Map<string, Overlap>();
      for (const { bodies, depth } of findContacts(this.#mj, model, this.#data)) {
        const key = bodies.join(' ');
        if (depth > deeperThan && depth > (deepest.get(key)?.depth ?? 0)) deepest.set(key, { bodies, depth });
      }
      return [...deepest.values()].sort((a, b) => b.depth - a.depth);
    } finally {
      for (const [k, pair] of masks().entries()) for (const [side, view] of pair.entries()) view.set(kept[k]![side]!);
    }
  }

  delete(): void {
    this.#data.delete();
  }
}

export function withinRange({ lower, upper }: Pick<ModelJoint, 'lower' | 'upper'>, value: number): number {
  return Math.min(upper ?? Infinity, Math.max(lower ?? -Infinity, value));
}

/** Returns the value of every joint, clamped to its range: the stated value, otherwise zero. A joint that follows
 *  another one gets its value from that joint. @param stated rad or m by joint name */
export function poseOf(
  joints: readonly ModelJoint[],
  stated: ReadonlyMap<string, number>,
  mimics: ReadonlyMap<string, Mimic>,
): Map<string, number> {
  const own = new Map(joints.map((joint) => [joint.name, withinRange(joint, stated.get(joint.name) ?? 0)]));
  return new Map(
    joints.map((joint) => {
      const mimic = mimics.get(joint.name);
      const led = mimic && mimic.multiplier * (own.get(mimic.joint) ?? 0) + mimic.offset;
      return [joint.name, led === undefined ? own.get(joint.name)! : withinRange(joint, led)];
    }),
  );
}

/** Returns the number of quarter turns about z after which "left" bodies are on the left of "right" bodies; 0 without
 *  such names. */
function facingOf({ carriers, names }: BodyTree, position: (body: number) => readonly number[]): number {
  const mean = (side: 'left' | 'right') => {
    const bodies = carriers.filter((body) => sideOf(names[body]!, names) === side).map(position);
    return [0, 1].map((k) => bodies.reduce((sum, at) => sum + at[k]!, 0) / bodies.length);
  };
  const [left, right] = [mean('left'), mean('right')];
  const [x, y] = [left[0]! - right[0]!, left[1]! - right[1]!];
  if (!(Math.hypot(x, y) > APART)) return 0;
  // Left is 90° from the front. Round to quarter turns, because no convention uses other angles.
  return (Math.round((Math.atan2(y, x) - Math.PI / 2) / (Math.PI / 2)) + 4) % 4;
}

/** Lists the hinge and slide joints of a model in qpos order. */
export function readJoints(model: MjModel): ModelJoint[] {
  const joints: ModelJoint[] = [];
  for (let id = 0; id < model.njnt; id++) {
    const type: number = model.jnt_type[id];
    if (type < SLIDE) continue; // free and ball joints are skipped
    const [lower, upper] = [model.jnt_range[2 * id] as number, model.jnt_range[2 * id + 1] as number];
    const limited = lower < upper;
    joints.push({
      name: nameAt(model, model.name_jntadr[id]),
      id,
      type: type === SLIDE ? 'slide' : 'hinge',
      body: model.jnt_bodyid[id],
      lower: limited ? lower : null,
      upper: limited ? upper : null,
    });
  }
  return joints;
}

/** Collects the collision geoms of each moving body with the bodies fixed to it. Uses all geoms if the robot has no
 *  collision geoms. */
function geomsOfCarriers(model: MjModel, tree: BodyTree): Map<number, number[]> {
  const mine = Array.from({ length: model.ngeom }, (_, geom) => geom).filter(
    (geom) => tree.carrierOf[model.geom_bodyid[geom]] !== 0,
  );
  const solid = mine.filter((geom) => collides(model, geom));
  const found = new Map<number, number[]>(tree.carriers.map((carrier) => [carrier, []]));
  for (const geom of solid.length > 0 ? solid : mine) {
    found.get(tree.carrierOf[model.geom_bodyid[geom]]!)!.push(geom);
  }
  return found;
}

function vector(view: Float64Array, index: number): readonly [number, number, number] {
  return [view[3 * index]!, view[3 * index + 1]!, view[3 * index + 2]!];
}
