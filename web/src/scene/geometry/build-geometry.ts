import { rotate } from '../../../../src/core/math/quaternion.ts';
import type { ModelBinary } from '../../../../src/protocol/binaries.ts';
import type { Geom, Mesh, SceneModel } from '../../../../src/protocol/schemas/robots.ts';
import { visualGeoms } from '../../../../src/protocol/visual-geoms.ts';
import { coarsen } from './coarsen.ts';
import { creased } from './crease.ts';
import type { Dress } from './dress.ts';
import { box, capsule, cylinder, ellipsoid, type Shape, sphere } from './primitives.ts';

/** Triangles in the frames of their bodies, with the body index of each vertex. */
export interface BodyTriangles {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  /** body index of each vertex */
  readonly bodies: Float32Array;
  readonly indices: Uint32Array;
  /** texture coordinate of each vertex, for textured parts */
  readonly uvs?: Float32Array | undefined;
}

/** All geoms with the same colour and texture. One draw call renders them for all robots of the scene. */
export interface RobotPart {
  /** 0..1 */
  readonly rgba: readonly number[];
  readonly picture?: ImageBitmap | undefined;
  readonly fine: BodyTriangles;
  /** mesh with fewer triangles, for shadows, many robots and slow renderers */
  readonly coarse: BodyTriangles;
}

export interface RobotGeometry {
  readonly parts: readonly RobotPart[];
  /** (nbody, 6) m: minimum and maximum corner of the bounding box of each body's visible geoms, in the body frame. If a
   *  body has no geoms, the minimum is greater than the maximum. */
  readonly boxes: Float32Array;
}

/** Builds the renderer's geometry of a model. @param dress textures of the model, if it has any */
export function buildGeometry(
  model: Pick<SceneModel, 'bodies' | 'geoms' | 'meshes'>,
  binary: ModelBinary,
  dress?: Dress,
): RobotGeometry {
  const boxes = new Float32Array(6 * model.bodies.length);
  for (let body = 0; body < model.bodies.length; body++) {
    boxes.fill(Number.POSITIVE_INFINITY, 6 * body, 6 * body + 3);
    boxes.fill(Number.NEGATIVE_INFINITY, 6 * body + 3, 6 * body + 6);
  }
  const meshes = new Map<number, Detail>();
  const byColour = new Map<string, Pick<RobotPart, 'rgba' | 'picture'> & { geoms: Placed[] }>();
  for (const geom of visualGeoms(model)) {
    let detail = detailOf(geom, model, binary, meshes);
    const picture = dress?.pictures.get(geom.texture ?? '');
    if (picture) {
      const fine = dress!.shape(geom, detail.fine);
      detail = { fine, coarse: fine };
    }
    const key = geom.rgba.map((x) => x.toFixed(3)).join() + (picture && geom.texture);
    const entry = byColour.get(key) ?? { rgba: geom.rgba, picture, geoms: [] };
    entry.geoms.push({ geom, detail });
    byColour.set(key, entry);
  }
  const parts = [...byColour.values()].map(({ rgba, picture, geoms }) => ({
    rgba,
    picture,
    fine: merge(geoms, 'fine', boxes),
    coarse: merge(geoms, 'coarse', boxes),
  }));
  return { parts, boxes };
}

type Surface = Shape & Pick<BodyTriangles, 'uvs'>;

interface Detail {
  readonly fine: Surface;
  readonly coarse: Surface;
}

interface Placed {
  readonly geom: Geom;
  readonly detail: Detail;
}

/** Returns the shape of a geom. Smooths and coarsens each mesh once, even if several geoms use it. */
function detailOf(
  geom: Geom,
  model: Pick<SceneModel, 'meshes'>,
  binary: ModelBinary,
  meshes: Map<number, Detail>,
): Detail {
  if (geom.type !== 'mesh') {
    const shape = primitiveOf(geom);
    return { fine: shape, coarse: shape };
  }
  const index = geom.mesh ?? -1;
  const known = meshes.get(index);
  if (known !== undefined) return known;
  const mesh = model.meshes[index];
  // Show a missing mesh as a small box.
  const fine = mesh === undefined ? box([0.03, 0.03, 0.03]) : meshShape(mesh, binary);
  const detail = { fine, coarse: coarsen(fine) };
  meshes.set(index, detail);
  return detail;
}

function meshShape(mesh: Mesh, binary: ModelBinary): Shape {
  const [v0 = 0, vn = 0] = mesh.vert;
  const [f0 = 0, fn = 0] = mesh.face;
  return creased(binary.vertices.subarray(3 * v0, 3 * (v0 + vn)), binary.faces.subarray(3 * f0, 3 * (f0 + fn)));
}

function primitiveOf(geom: Geom): Shape {
  const [x = 0.05, y = 0.05] = geom.size;
  switch (geom.type) {
    case 'sphere':
      return sphere(x);
    case 'capsule':
      return capsule(x, y);
    case 'cylinder':
      return cylinder(x, y);
    case 'ellipsoid':
      return ellipsoid(geom.size);
    default:
      return box(geom.size);
  }
}

/** Transforms geoms into the frames of their bodies and merges them. @param boxes bounding boxes, extended by the
 *  geoms */
function merge(geoms: readonly Placed[], level: keyof Detail, boxes: Float32Array): BodyTriangles {
  const shapes = geoms.map(({ geom, detail }) => ({ geom, shape: detail[level] }));
  const vertices = shapes.reduce((n, { shape }) => n + shape.positions.length / 3, 0);
  const positions = new Float32Array(3 * vertices);
  const normals = new Float32Array(3 * vertices);
  const bodies = new Float32Array(vertices);
  const uvs = shapes[0]?.shape.uvs && new Float32Array(2 * vertices);
  const indices = new Uint32Array(shapes.reduce((n, { shape }) => n + shape.indices.length, 0));
  const point = [0, 0, 0];
  let first = 0;
  let at = 0;
  for (const { geom, shape } of shapes) {
    const count = shape.positions.length / 3;
    for (let k = 0; k < count; k++) {
      const from = 3 * k;
      const to = 3 * (first + k);
      rotate(point, geom.quat, shape.positions.subarray(from, from + 3));
      for (let axis = 0; axis < 3; axis++) {
        const x = point[axis]! + geom.pos[axis]!;
        positions[to + axis] = x;
        const low = 6 * geom.body + axis;
        if (x < boxes[low]!) boxes[low] = x;
        if (x > boxes[low + 3]!) boxes[low + 3] = x;
      }
      rotate(point, geom.quat, shape.normals.subarray(from, from + 3));
      normals.set(point, to);
      bodies[first + k] = geom.body;
    }
    if (shape.uvs) uvs?.set(shape.uvs, 2 * first);
    for (let k = 0; k < shape.indices.length; k++) indices[at + k] = first + shape.indices[k]!;
    first += count;
    at += shape.indices.length;
  }
  return { positions, normals, bodies, indices, uvs };
}
