import { dot } from '../core/math/vector.ts';
import { type Foot, findFeet, standingPose } from '../robots/kinematics/feet.ts';
import type { MjModel } from '../sim/mujoco.ts';
import type { ClipRobot } from './clip-robot.ts';

/** A convex shape, given by points and a radius around them, in the frame of its geom. Its lowest height is the
 *  height of the lowest point minus the radius. Ellipsoids and cylinders have separate formulas. */
interface Shape {
  readonly geom: number;
  /** index of the body, without the world: 0 is the root */
  readonly body: number;
  readonly kind: 'points' | 'ellipsoid' | 'cylinder';
  /** (n, 3) m */
  readonly points: Float64Array;
  /** radius around the points, m */
  readonly radius: number;
  /** half sizes as in MuJoCo, m */
  readonly size: readonly [number, number, number];
}

/** The parts of a robot that can touch the floor, and the soles of its feet. */
export interface RobotShape {
  readonly shapes: readonly Shape[];
  /** for each foot its body index, its name, and (n, 3) points of its sole in the body's frame, m */
  readonly feet: readonly { readonly body: number; readonly name: string; readonly sole: Float64Array }[];
}

/** values of MuJoCo's enum mjtGeom */
const SPHERE = 2;
const CAPSULE = 3;
const ELLIPSOID = 4;
const CYLINDER = 5;
const BOX = 6;
const MESH = 7;
/** Number of directions in which the farthest points of a mesh are kept. A hull with this many corners is accurate
 *  to millimetres. */
const MESH_DIRECTIONS = 96;
/** Number of directions around a sole. The farthest points in these directions represent the sole. */
const SOLE_DIRECTIONS = 8;

const known = new WeakMap<ClipRobot, RobotShape>();

/** Returns the shapes of a robot's collision geoms. For a robot without collision geoms, the list is empty, and
 *  checks of the floor are not possible. */
export function robotShape(robot: ClipRobot): RobotShape {
  let shape = known.get(robot);
  if (!shape) {
    shape = makeShape(robot);
    known.set(robot, shape);
  }
  return shape;
}

function makeShape(robot: ClipRobot): RobotShape {
  const { mj, model, facts } = robot;
  const shapes: Shape[] = [];
  for (let geom = 0; geom < model.ngeom; geom++) {
    const body = model.geom_bodyid[geom] - 1;
    const shape = body < 0 ? null : shapeOf(model, geom, body);
    if (shape) shapes.push(shape);
  }
  const bodies = facts.wiring.feet.map((name) => facts.bodies.findIndex((body) => body.name === name));
  const feet = findFeet(mj, model, standingPose(facts), bodies).map((foot, k) => ({
    body: foot.body,
    name: facts.wiring.feet[k]!,
    sole: solePoints(model, shapes, foot, facts.footSoleZ),
  }));
  return { shapes, feet };
}

function shapeOf(model: MjModel, geom: number, body: number): Shape | null {
  const [a, b, c] = model.geom_size.subarray(3 * geom, 3 * geom + 3) as unknown as [number, number, number];
  const size = [a, b, c] as const;
  const points = (values: readonly number[], radius = 0): Shape => ({
    ...{ geom, body, kind: 'points', points: Float64Array.from(values), radius, size },
  });
  switch (model.geom_type[geom] as number) {
    case SPHERE:
      return points([0, 0, 0], a);
    case CAPSULE:
      return points([0, 0, b, 0, 0, -b], a);
    case BOX:
      return points(corners(a, b, c));
    case ELLIPSOID:
      return { ...points([]), kind: 'ellipsoid' };
    case CYLINDER:
      return { ...points([]), kind: 'cylinder' };
    case MESH: {
      const mesh = model.geom_dataid[geom] as number;
      const start = 3 * (model.mesh_vertadr[mesh] as number);
      const vertices = model.mesh_vert.subarray(start, start + 3 * (model.mesh_vertnum[mesh] as number));
      return points(farthest(vertices, sphereDirections(MESH_DIRECTIONS)));
    }
    default:
      return null; // planes and height fields do not belong to the robot
  }
}

/** Returns the height of the shape's lowest point, m.
 *  @param xpos (ngeom, 3) positions of the geoms from MuJoCo  @param xmat (ngeom, 9) rotation matrices of the geoms */
export function lowestOf(shape: Shape, xpos: Float64Array, xmat: Float64Array): number {
  const at = 9 * shape.geom + 6;
  const x = xmat[at]!;
  const y = xmat[at + 1]!;
  const z = xmat[at + 2]!;
  const height = xpos[3 * shape.geom + 2]!;
  const [a, b, c] = shape.size;
  if (shape.kind === 'ellipsoid') return height - Math.sqrt((a * x) ** 2 + (b * y) ** 2 + (c * z) ** 2);
  if (shape.kind === 'cylinder') return height - b * Math.abs(z) - a * Math.sqrt(Math.max(0, 1 - z * z));
  const { points } = shape;
  let lowest = Infinity;
  for (let k = 0; k < points.length; k += 3) {
    const offset = x * points[k]! + y * points[k + 1]! + z * points[k + 2]!;
    if (offset < lowest) lowest = offset;
  }
  return height + lowest - shape.radius;
}

/** Transforms points `local` (n, 3) from the frame of `body` to the world frame. The index `body` includes the
 *  world. */
// biome-ignore lint/complexity/useMaxParams: inner loop of every frame; an object would be allocated per call
export function placePoints(
  out: Float32Array | Float64Array,
  offset: number,
  local: Float64Array,
  body: number,
  xpos: Float64Array,
  xquat: Float64Array,
): void {
  const w = xquat[4 * body]!;
  const x = xquat[4 * body + 1]!;
  const y = xquat[4 * body + 2]!;
  const z = xquat[4 * body + 3]!;
  for (let k = 0; k < local.length; k += 3) {
    const px = local[k]!;
    const py = local[k + 1]!;
    const pz = local[k + 2]!;
    const tx = 2 * (y * pz - z * py);
    const ty = 2 * (z * px - x * pz);
    const tz = 2 * (x * py - y * px);
    out[offset + k] = xpos[3 * body]! + px + w * tx + y * tz - z * ty;
    out[offset + k + 1] = xpos[3 * body + 1]! + py + w * ty + z * tx - x * tz;
    out[offset + k + 2] = xpos[3 * body + 2]! + pz + w * tz + x * ty - y * tx;
  }
}

/** Returns points around the underside of a foot's shapes, in the body's frame. For a foot without shapes, returns
 *  the point of the sole below the body's origin. */
function solePoints(model: MjModel, shapes: readonly Shape[], foot: Foot, soleZ: number): Float64Array {
  const [forward, sideways, down] = foot.axes;
  const all: number[] = [];
  for (const shape of shapes) if (shape.body === foot.body) all.push(...undersideOf(model, shape, down));
  if (all.length === 0) return Float64Array.from(down, (axis) => soleZ * axis);
  let deepest = -Infinity;
  for (let k = 0; k < all.length; k += 3) deepest = Math.max(deepest, dot(down, all.slice(k, k + 3)));
  // Skip points high above the lowest one: an upright shin on the foot body does not belong to its sole.
  const low: number[] = [];
  for (let k = 0; k < all.length; k += 3) {
    const point = all.slice(k, k + 3);
    if (dot(down, point) > deepest - 0.02) low.push(...point);
  }
  const directions = Array.from({ length: SOLE_DIRECTIONS }, (_, k) => (2 * Math.PI * k) / SOLE_DIRECTIONS);
  return Float64Array.from(
    farthest(
      low,
      directions.map((angle) => forward.map((axis, k) => Math.cos(angle) * axis + Math.sin(angle) * sideways[k]!)),
    ),
  );
}

/** @param down unit vector in the frame of the body */
function undersideOf(model: MjModel, shape: Shape, down: readonly number[]): number[] {
  const [w, x, y, z] = model.geom_quat.subarray(4 * shape.geom, 4 * shape.geom + 4) as unknown as number[] as [
    number,
    number,
    number,
    number,
  ];
  const origin = model.geom_pos.subarray(3 * shape.geom, 3 * shape.geom + 3) as Float64Array;
  const [a, b, c] = shape.size;
  const points =
    shape.kind === 'cylinder'
      ? corners(a, a, b)
      : shape.kind === 'ellipsoid'
        ? [a, 0, 0, -a, 0, 0, 0, b, 0, 0, -b, 0, 0, 0, c, 0, 0, -c]
        : shape.points;
  const out: number[] = [];
  for (let k = 0; k < points.length; k += 3) {
    const [px, py, pz] = [points[k]!, points[k + 1]!, points[k + 2]!];
    const tx = 2 * (y * pz - z * py);
    const ty = 2 * (z * px - x * pz);
    const tz = 2 * (x * py - y * px);
    out.push(
      origin[0]! + px + w * tx + y * tz - z * ty + shape.radius * down[0]!,
      origin[1]! + py + w * ty + z * tx - x * tz + shape.radius * down[1]!,
      origin[2]! + pz + w * tz + x * ty - y * tx + shape.radius * down[2]!,
    );
  }
  return out;
}

function corners(a: number, b: number, c: number): number[] {
  const signs = [-1, 1];
  return signs.flatMap((x) => signs.flatMap((y) => signs.flatMap((z) => [a * x, b * y, c * z])));
}

/** Returns the farthest of the points (n, 3) in each direction. Removes duplicates. */
function farthest(points: ArrayLike<number>, directions: readonly (readonly number[])[]): number[] {
  const kept = new Set<number>();
  for (const [x, y, z] of directions) {
    let best = 0;
    let reach = -Infinity;
    for (let k = 0; k < points.length; k += 3) {
      const along = x! * points[k]! + y! * points[k + 1]! + z! * points[k + 2]!;
      if (along > reach) {
        reach = along;
        best = k;
      }
    }
    kept.add(best);
  }
  return [...kept].flatMap((k) => [points[k]!, points[k + 1]!, points[k + 2]!]);
}

/** Returns unit vectors spread evenly over the sphere (golden spiral). */
function sphereDirections(count: number): number[][] {
  const turn = Math.PI * (3 - Math.sqrt(5));
  return Array.from({ length: count }, (_, k) => {
    const z = 1 - (2 * k + 1) / count;
    const radius = Math.sqrt(1 - z * z);
    return [radius * Math.cos(turn * k), radius * Math.sin(turn * k), z];
  });
}
