import { encodeModel } from '../protocol/binaries.ts';
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
  /** without `version` and `robot`, which the scene adds */
  readonly description: Omit<SceneModel, 'version' | 'robot'>;
  /** bytes of `model.bin` */
  readonly binary: Uint8Array;
}

/** Reads the bodies, geoms and meshes of a compiled model. Geoms of the world are omitted, since the floor is terrain. */
export function exportGeometry(model: MjModel): ViewerGeometry {
  const meshes = exportMeshes(model);
  const geoms: Geom[] = [];
  for (let g = 0; g < model.ngeom; g++) {
    const type = GEOM_TYPES[model.geom_type[g]];
    const body = model.geom_bodyid[g] - 1;
    if (type === undefined || body < 0) continue;
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
    });
  }
  const binary = encodeModel(meshes);
  return {
    description: {
      bodies: bodyNames(model).map((name, k) => ({ name, parent: model.body_parentid[k + 1] - 1 })),
      geoms,
      meshes: meshes.table,
      bin: { bytes: binary.byteLength, nv: meshes.vertices.length / 3, nf: meshes.faces.length / 3 },
    },
    binary,
  };
}

function numbers(source: ArrayLike<number>, start: number, count: number): number[] {
  return Array.from({ length: count }, (_, k) => source[start + k]!);
}

/** Returns the RGBA of a geom: its own colour, or that of its material if its own is MuJoCo's default grey. */
function geomColour(model: MjModel, geom: number): number[] {
  const own = numbers(model.geom_rgba, 4 * geom, 4);
  const material = model.geom_matid[geom];
  const isDefault = own[0] === 0.5 && own[1] === 0.5 && own[2] === 0.5 && own[3] === 1;
  return material >= 0 && isDefault ? numbers(model.mat_rgba, 4 * material, 4) : own;
}

interface Meshes {
  readonly table: Mesh[];
  readonly vertices: Float32Array;
  readonly normals: Float32Array;
  readonly faces: Uint32Array;
}

/** Reads all meshes with one normal per vertex. Vertices are duplicated if a mesh indexes its normals separately. */
function exportMeshes(model: MjModel): Meshes {
  const parts = Array.from({ length: model.nmesh }, (_, m) => exportMesh(model, m));
  const total = (pick: (part: MeshPart) => ArrayLike<number>) => parts.reduce((n, part) => n + pick(part).length, 0);
  const vertices = new Float32Array(total((part) => part.vertices));
  const normals = new Float32Array(vertices.length);
  const faces = new Uint32Array(total((part) => part.faces));
  const table: Mesh[] = [];
  let vertex = 0;
  let face = 0;
  for (const [m, part] of parts.entries()) {
    vertices.set(part.vertices, 3 * vertex);
    normals.set(part.normals, 3 * vertex);
    faces.set(part.faces, 3 * face);
    const count = part.vertices.length / 3;
    table.push({
      name: nameAt(model, model.name_meshadr[m]),
      vert: [vertex, count],
      face: [face, part.faces.length / 3],
    });
    vertex += count;
    face += part.faces.length / 3;
  }
  return { table, vertices, normals, faces };
}

interface MeshPart {
  readonly vertices: Float32Array;
  readonly normals: Float32Array;
  readonly faces: Uint32Array;
}

function exportMesh(model: MjModel, mesh: number): MeshPart {
  const vertexStart = 3 * model.mesh_vertadr[mesh];
  const normalStart = 3 * model.mesh_normaladr[mesh];
  const faceStart = 3 * model.mesh_faceadr[mesh];
  const faceEnd = faceStart + 3 * model.mesh_facenum[mesh];
  const vertices: Float32Array = model.mesh_vert.slice(vertexStart, vertexStart + 3 * model.mesh_vertnum[mesh]);
  const normals: Float32Array = model.mesh_normal.slice(normalStart, normalStart + 3 * model.mesh_normalnum[mesh]);
  const faces = Uint32Array.from(model.mesh_face.subarray(faceStart, faceEnd));
  const normalFaces: Int32Array = model.mesh_facenormal.subarray(faceStart, faceEnd);
  if (faces.every((vertex, k) => vertex === normalFaces[k])) return { vertices, normals, faces };
  const pairs = new Map<number, number>();
  const order: [vertex: number, normal: number][] = [];
  const stride = normals.length / 3;
  const newFaces = faces.map((vertex, k) => {
    const normal = normalFaces[k]!;
    const key = vertex * stride + normal;
    let index = pairs.get(key);
    if (index === undefined) {
      index = order.length;
      pairs.set(key, index);
      order.push([vertex, normal]);
    }
    return index;
  });
  const corner = (source: Float32Array, pick: 0 | 1) => {
    const out = new Float32Array(3 * order.length);
    for (const [k, pair] of order.entries()) out.set(source.subarray(3 * pair[pick], 3 * pair[pick] + 3), 3 * k);
    return out;
  };
  return { vertices: corner(vertices, 0), normals: corner(normals, 1), faces: newFaces };
}
