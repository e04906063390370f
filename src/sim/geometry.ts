import { encodeModel, type ModelBinary } from '../protocol/binaries.ts';
import type { Geom, Mesh, SceneModel } from '../protocol/schemas/robots.ts';
import { bodyNames, type MjModel, nameAt } from './mujoco.ts';

/** MuJoCo's mjtGeom values that the viewer draws. */
const GEOM_TYPES: Readonly<Record<number, Geom['type']>> = {
  0: 'plane',
  2: 'sphere',
  3: 'capsule',
  4: 'ellipsoid',
  5: 'cylinder',
  6: 'box',
  7: 'mesh',
};

/** The part of a compiled model that the viewer needs. */
export interface ViewerGeometry {
  /** all fields except `version` and `robot`, which the scene adds */
  readonly description: Omit<SceneModel, 'version' | 'robot'>;
  /** bytes of `model.bin` */
  readonly binary: Uint8Array;
  /** PNG files, in the order of `textureNames` */
  readonly textures: readonly Uint8Array[];
}

/** A texture image on the surface of geoms. */
export interface SurfaceTexture {
  readonly name: string;
  readonly png: Uint8Array;
  /** whether a shape without texture coordinates shows the image on each side */
  readonly cube: boolean;
}

/** Returns the names of the textures that geoms show, in the order of their first use. */
export function textureNames(geoms: readonly Pick<Geom, 'texture'>[]): string[] {
  return [...new Set(geoms.flatMap(({ texture }) => (texture === null ? [] : [texture])))];
}

/** Reads the bodies, geoms and meshes of a compiled model. Omits geoms of the world, because the viewer draws the floor
 *  as terrain.
 *  @param textures by the name of their material */
export function exportGeometry(
  model: MjModel,
  textures: ReadonlyMap<string, SurfaceTexture> = new Map(),
): ViewerGeometry {
  const geoms: Geom[] = [];
  const shown = new Map<string, Uint8Array>();
  for (let g = 0; g < model.ngeom; g++) {
    const type = GEOM_TYPES[model.geom_type[g]];
    const body = model.geom_bodyid[g] - 1;
    if (type === undefined || body < 0) continue;
    const texture = textureOf(model, g, textures);
    if (texture) shown.set(texture.name, texture.png);
    geoms.push({
      name: nameAt(model, model.name_geomadr[g]),
      body,
      type,
      pos: numbers(model.geom_pos, 3 * g, 3),
      quat: numbers(model.geom_quat, 4 * g, 4),
      size: numbers(model.geom_size, 3 * g, 3),
      rgba: geomColour(model, g),
      group: model.geom_group[g],
      mesh: type === 'mesh' ? model.geom_dataid[g] : null,
      collision: model.geom_contype[g] !== 0 || model.geom_conaffinity[g] !== 0,
      texture: texture?.name ?? null,
    });
  }
  const textured = new Set(geoms.flatMap(({ mesh, texture }) => (mesh !== null && texture !== null ? [mesh] : [])));
  const meshes = exportMeshes(model, textured);
  const binary = encodeModel(meshes);
  return {
    description: {
      bodies: bodyNames(model).map((name, k) => ({
        name,
        parent: model.body_parentid[k + 1] - 1,
        fixed: model.body_jntnum[k + 1] === 0,
      })),
      geoms,
      meshes: meshes.table,
      bin: { bytes: binary.byteLength, nv: meshes.vertices.length / 3, nf: meshes.faces.length / 3 },
    },
    binary,
    textures: textureNames(geoms).map((name) => shown.get(name)!),
  };
}

/** Returns the texture of a geom. A mesh without texture coordinates shows only textures that do not need them. */
function textureOf(
  model: MjModel,
  geom: number,
  textures: ReadonlyMap<string, SurfaceTexture>,
): SurfaceTexture | undefined {
  const material = model.geom_matid[geom];
  if (material < 0 || textures.size === 0) return undefined;
  const texture = textures.get(nameAt(model, model.name_matadr[material]));
  const isMesh = GEOM_TYPES[model.geom_type[geom]] === 'mesh';
  const mapped = texture?.cube || !isMesh || model.mesh_texcoordnum[model.geom_dataid[geom]] > 0;
  return mapped ? texture : undefined;
}

function numbers(source: ArrayLike<number>, start: number, count: number): number[] {
  return Array.from({ length: count }, (_, k) => source[start + k]!);
}

/** Returns the RGBA of a geom, clamped to 0..1: the geom's own colour, or its material's colour if its own colour is
 *  MuJoCo's default grey. */
function geomColour(model: MjModel, geom: number): number[] {
  const own = numbers(model.geom_rgba, 4 * geom, 4);
  const material = model.geom_matid[geom];
  const isDefault = own[0] === 0.5 && own[1] === 0.5 && own[2] === 0.5 && own[3] === 1;
  const rgba = material >= 0 && isDefault ? numbers(model.mat_rgba, 4 * material, 4) : own;
  return rgba.map((value) => Math.min(1, Math.max(0, value)));
}

interface Meshes extends ModelBinary {
  readonly table: Mesh[];
}

/** Reads all meshes with one normal per vertex, and with one texture coordinate per vertex for meshes in `textured`.
 *  Duplicates vertices of a mesh that indexes its normals or texture coordinates separately. */
function exportMeshes(model: MjModel, textured: ReadonlySet<number>): Meshes {
  const parts = Array.from({ length: model.nmesh }, (_, m) => exportMesh(model, m, textured.has(m)));
  const total = (pick: (part: MeshPart) => ArrayLike<number>) => parts.reduce((n, part) => n + pick(part).length, 0);
  const vertices = new Float32Array(total((part) => part.vertices));
  const normals = new Float32Array(vertices.length);
  const faces = new Uint32Array(total((part) => part.faces));
  const uvs = new Float32Array(total((part) => part.uvs));
  const table: Mesh[] = [];
  let [vertex, face, uv] = [0, 0, 0];
  for (const [m, part] of parts.entries()) {
    vertices.set(part.vertices, 3 * vertex);
    normals.set(part.normals, 3 * vertex);
    faces.set(part.faces, 3 * face);
    uvs.set(part.uvs, 2 * uv);
    const count = part.vertices.length / 3;
    const uvCount = part.uvs.length / 2;
    table.push({
      name: nameAt(model, model.name_meshadr[m]),
      vert: [vertex, count],
      face: [face, part.faces.length / 3],
      uv: uvCount > 0 ? [uv, uvCount] : null,
    });
    vertex += count;
    face += part.faces.length / 3;
    uv += uvCount;
  }
  return { table, vertices, normals, faces, uvs };
}

type MeshPart = ModelBinary;

function exportMesh(model: MjModel, mesh: number, textured: boolean): MeshPart {
  const vertexStart = 3 * model.mesh_vertadr[mesh];
  const normalStart = 3 * model.mesh_normaladr[mesh];
  const faceStart = 3 * model.mesh_faceadr[mesh];
  const faceEnd = faceStart + 3 * model.mesh_facenum[mesh];
  const vertices: Float32Array = model.mesh_vert.slice(vertexStart, vertexStart + 3 * model.mesh_vertnum[mesh]);
  const normals: Float32Array = model.mesh_normal.slice(normalStart, normalStart + 3 * model.mesh_normalnum[mesh]);
  const faces = Uint32Array.from(model.mesh_face.subarray(faceStart, faceEnd));
  const plain = shaded({ vertices, normals, faces }, model.mesh_facenormal.subarray(faceStart, faceEnd));
  const uvNumber: number = model.mesh_texcoordnum[mesh];
  if (!textured || uvNumber <= 0) return plain;
  const uvStart = 2 * model.mesh_texcoordadr[mesh];
  const uvs: Float32Array = model.mesh_texcoord.slice(uvStart, uvStart + 2 * uvNumber);
  const mapped = pairUp(plain.faces, model.mesh_facetexcoord.subarray(faceStart, faceEnd), uvNumber);
  return {
    vertices: rows(plain.vertices, 3, mapped.first),
    normals: rows(plain.normals, 3, mapped.first),
    faces: mapped.index,
    uvs: rows(uvs, 2, mapped.second),
  };
}

/** @param normalFaces index of the normal of each corner */
function shaded({ vertices, normals, faces }: Omit<MeshPart, 'uvs'>, normalFaces: Int32Array): MeshPart {
  const uvs = new Float32Array();
  if (faces.every((vertex, k) => vertex === normalFaces[k])) return { vertices, normals, faces, uvs };
  const { index, first, second } = pairUp(faces, normalFaces, normals.length / 3);
  return { vertices: rows(vertices, 3, first), normals: rows(normals, 3, second), faces: index, uvs };
}

/** Combines two index lists of the corners into one. @param stride number of values that `b` indexes @returns `index`:
 *  the combined index of each corner; `first`, `second`: the original two indices for each combined index */
function pairUp(
  a: Uint32Array,
  b: Int32Array,
  stride: number,
): { index: Uint32Array; first: readonly number[]; second: readonly number[] } {
  const pairs = new Map<number, number>();
  const first: number[] = [];
  const second: number[] = [];
  const index = a.map((one, k) => {
    const other = b[k]!;
    const key = one * stride + other;
    const known = pairs.get(key);
    if (known !== undefined) return known;
    pairs.set(key, first.length);
    second.push(other);
    return first.push(one) - 1;
  });
  return { index, first, second };
}

/** Selects rows of `width` values. */
function rows(values: Float32Array, width: number, picked: readonly number[]): Float32Array {
  const out = new Float32Array(width * picked.length);
  for (const [k, row] of picked.entries()) out.set(values.subarray(width * row, width * (row + 1)), width * k);
  return out;
}
