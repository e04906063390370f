import type { ModelBinary } from '../../../../src/protocol/binaries.ts';
import type { Geom, SceneModel } from '../../../../src/protocol/schemas/robots.ts';
import type { Shape } from './primitives.ts';

/** A shape with texture coordinates. */
export interface DressedShape extends Shape {
  /** (n, 2) texture coordinates, measured from the upper left corner of the picture */
  readonly uvs: Float32Array;
}

/** The textures of a model. They are loaded only if the model has any. */
export interface Dress {
  /** pictures by name; without those that could not be loaded */
  readonly pictures: ReadonlyMap<string, ImageBitmap>;
  /** Returns the shape of a textured geom. @param plain the same shape without texture coordinates */
  shape(geom: Geom, plain: Shape): DressedShape;
}

/** Loads the textures of a model. @param url of the textures, to which a name is appended */
export async function loadDress(
  model: Pick<SceneModel, 'geoms' | 'meshes'>,
  binary: ModelBinary,
  url: string,
): Promise<Dress> {
  const pictures = new Map<string, ImageBitmap>();
  const names = new Set(model.geoms.flatMap(({ texture }) => (texture === null ? [] : [texture])));
  await Promise.all(
    [...names].map(async (name) => {
      try {
        const response = await fetch(url + encodeURIComponent(name));
        if (!response.ok) throw new Error(`status ${response.status}`);
        const options = { premultiplyAlpha: 'none', colorSpaceConversion: 'none' } as const;
        pictures.set(name, await createImageBitmap(await response.blob(), options));
      } catch (error) {
        console.warn(`The texture ${name} could not be loaded; its parts are drawn in their colour`, error);
      }
    }),
  );
  return { pictures, shape: (geom, plain) => mappedMesh(geom, model, binary) ?? projected(plain) };
}

/** Returns a mesh with its texture coordinates; null for other shapes and for meshes without texture coordinates. */
function mappedMesh(geom: Geom, { meshes }: Pick<SceneModel, 'meshes'>, binary: ModelBinary): DressedShape | null {
  const mesh = meshes[geom.mesh ?? -1];
  if (!mesh?.uv) return null;
  const [v0 = 0, vn = 0] = mesh.vert;
  const [f0 = 0, fn = 0] = mesh.face;
  const [t0 = 0, tn = 0] = mesh.uv;
  return {
    positions: binary.vertices.subarray(3 * v0, 3 * (v0 + vn)),
    normals: binary.normals.subarray(3 * v0, 3 * (v0 + vn)),
    indices: binary.faces.subarray(3 * f0, 3 * (f0 + fn)),
    uvs: binary.uvs.subarray(2 * t0, 2 * (t0 + tn)),
  };
}

/** Projects the picture onto each of the six sides of a shape. Each triangle belongs to the side that it faces most. */
export function projected({ positions, normals, indices }: Shape): DressedShape {
  const [low, high] = extent(positions);
  const out = {
    positions: new Float32Array(3 * indices.length),
    normals: new Float32Array(3 * indices.length),
    indices: new Uint32Array(indices.length),
    uvs: new Float32Array(2 * indices.length),
  };
  for (let corner = 0; corner < indices.length; corner++) {
    const vertex = 3 * indices[corner]!;
    out.positions.set(positions.subarray(vertex, vertex + 3), 3 * corner);
    out.normals.set(normals.subarray(vertex, vertex + 3), 3 * corner);
    out.indices[corner] = corner;
  }
  for (let corner = 0; corner < indices.length; corner++) {
    const first = 3 * (corner - (corner % 3));
    const facing = [0, 1, 2].map((axis) => sum(out.normals, first + axis));
    const axis = facing.reduce((best, x, k) => (Math.abs(x) > Math.abs(facing[best]!) ? k : best), 0);
    const sign = facing[axis]! < 0 ? -1 : 1;
    const along = (k: number) => (out.positions[3 * corner + k]! - low[k]!) / (high[k]! - low[k]! || 1);
    // The picture is upright when seen from outside. Seen from above, x points right; on the sides, z points up.
    const turned = (k: number, right: boolean) => (right ? along(k) : 1 - along(k));
    const u = axis === 2 ? along(0) : axis === 0 ? turned(1, sign > 0) : turned(0, sign < 0);
    const v = axis === 2 ? turned(1, sign < 0) : turned(2, false);
    out.uvs.set([u, v], 2 * corner);
  }
  return out;
}

function sum(values: Float32Array, first: number): number {
  return values[first]! + values[first + 3]! + values[first + 6]!;
}

function extent(positions: Float32Array): [number[], number[]] {
  const low = [0, 1, 2].map(() => Number.POSITIVE_INFINITY);
  const high = [0, 1, 2].map(() => Number.NEGATIVE_INFINITY);
  for (let at = 0; at < positions.length; at++) {
    low[at % 3] = Math.min(low[at % 3]!, positions[at]!);
    high[at % 3] = Math.max(high[at % 3]!, positions[at]!);
  }
  return [low, high];
}
