import type { Shape } from './primitives.ts';

/** Cosine of the crease angle. Edges sharper than this angle are not smoothed. */
const CREASE_COS = Math.cos((55 * Math.PI) / 180);
/** Vertices closer than this distance are merged, m. */
const WELD_M = 2e-4;

/** A triangle is a sliver if its height is below this share of its longest side. Rounding errors dominate the normal of
 *  a sliver. */
const SLIVER = 0.004;

/** Computes smooth shading with sharp edges. Merges vertices at the same position. The normal of a corner is the
 *  area-weighted mean of the normals of faces around its vertex. Only faces within 55° of the corner's own face
 *  contribute. A sliver gets the direction of its largest neighbouring face.
 *  @param vertices (n, 3) m
 *  @param faces (m, 3) vertex indices */
export function creased(vertices: Float32Array, faces: Uint32Array): Shape {
  const welded = weld(vertices);
  const count = faces.length / 3;
  const normals = faceNormals(vertices, faces); // not normalized: the length of a normal is twice the area
  const { start, list } = facesAbout(welded, faces);
  const sliver = slivers(vertices, faces, normals);
  const positions: number[] = [];
  const out: number[] = [];
  const indices = new Uint32Array(faces.length);
  const made = new Map<string, number>();
  let used = 0;
  for (let face = 0; face < count; face++) {
    if (sizeOf(normals, face) < 1e-16) continue; // a face without area has no normal and is not visible
    for (let corner = 0; corner < 3; corner++) {
      const vertex = welded[faces[3 * face + corner]!]!;
      const own = sliver[face] === 0 ? face : largest(normals, list, start[vertex]!, start[vertex + 1]!, face);
      const size = sizeOf(normals, own);
      let x = 0;
      let y = 0;
      let z = 0;
      for (let k = start[vertex]!; k < start[vertex + 1]!; k++) {
        const other = list[k]!;
        const [ox, oy, oz] = [normals[3 * other]!, normals[3 * other + 1]!, normals[3 * other + 2]!];
        const dot = ox * normals[3 * own]! + oy * normals[3 * own + 1]! + oz * normals[3 * own + 2]!;
        if (dot < CREASE_COS * size * Math.hypot(ox, oy, oz)) continue;
        x += ox;
        y += oy;
        z += oz;
      }
      const length = Math.hypot(x, y, z) || 1;
      const key = `${vertex},${Math.round((127 * x) / length)},${Math.round((127 * y) / length)},${Math.round((127 * z) / length)}`;
      let index = made.get(key);
      if (index === undefined) {
        index = positions.length / 3;
        made.set(key, index);
        positions.push(vertices[3 * vertex]!, vertices[3 * vertex + 1]!, vertices[3 * vertex + 2]!);
        out.push(x / length, y / length, z / length);
      }
      indices[used + corner] = index;
    }
    used += 3;
  }
  return { positions: Float32Array.from(positions), normals: Float32Array.from(out), indices: indices.slice(0, used) };
}

function sizeOf(normals: Float32Array, face: number): number {
  return Math.hypot(normals[3 * face]!, normals[3 * face + 1]!, normals[3 * face + 2]!);
}

/** Returns the face with the largest area in `list[from..to)`; `otherwise` if no face is larger. */
function largest(normals: Float32Array, list: Uint32Array, from: number, to: number, otherwise: number): number {
  let best = otherwise;
  let most = sizeOf(normals, otherwise);
  for (let k = from; k < to; k++) {
    const size = sizeOf(normals, list[k]!);
    if (size <= most) continue;
    most = size;
    best = list[k]!;
  }
  return best;
}

function slivers(vertices: Float32Array, faces: Uint32Array, normals: Float32Array): Uint8Array {
  const out = new Uint8Array(faces.length / 3);
  for (let face = 0; face < out.length; face++) {
    let longest = 0;
    for (let side = 0; side < 3; side++) {
      const a = 3 * faces[3 * face + side]!;
      const b = 3 * faces[3 * face + ((side + 1) % 3)]!;
      const square =
        (vertices[a]! - vertices[b]!) ** 2 +
        (vertices[a + 1]! - vertices[b + 1]!) ** 2 +
        (vertices[a + 2]! - vertices[b + 2]!) ** 2;
      longest = Math.max(longest, square);
    }
    // twice the area / longest side squared = height / longest side
    if (sizeOf(normals, face) < SLIVER * longest) out[face] = 1;
  }
  return out;
}

/** Returns for each vertex the index of the first vertex at the same position. */
function weld(vertices: Float32Array): Uint32Array {
  const first = new Map<string, number>();
  const out = new Uint32Array(vertices.length / 3);
  for (let k = 0; k < out.length; k++) {
    const key = `${Math.round(vertices[3 * k]! / WELD_M)},${Math.round(vertices[3 * k + 1]! / WELD_M)},${Math.round(vertices[3 * k + 2]! / WELD_M)}`;
    const known = first.get(key);
    out[k] = known ?? k;
    if (known === undefined) first.set(key, k);
  }
  return out;
}

function faceNormals(vertices: Float32Array, faces: Uint32Array): Float32Array {
  const out = new Float32Array(faces.length);
  for (let at = 0; at < faces.length; at += 3) {
    const a = 3 * faces[at]!;
    const b = 3 * faces[at + 1]!;
    const c = 3 * faces[at + 2]!;
    const ux = vertices[b]! - vertices[a]!;
    const uy = vertices[b + 1]! - vertices[a + 1]!;
    const uz = vertices[b + 2]! - vertices[a + 2]!;
    const vx = vertices[c]! - vertices[a]!;
    const vy = vertices[c + 1]! - vertices[a + 1]!;
    const vz = vertices[c + 2]! - vertices[a + 2]!;
    out[at] = uy * vz - uz * vy;
    out[at + 1] = uz * vx - ux * vz;
    out[at + 2] = ux * vy - uy * vx;
  }
  return out;
}

/** Groups the faces by merged vertex: the faces of vertex v are `list[start[v]..start[v+1])`. */
function facesAbout(welded: Uint32Array, faces: Uint32Array): { start: Uint32Array; list: Uint32Array } {
  const start = new Uint32Array(welded.length + 1);
  for (const vertex of faces) start[welded[vertex]! + 1]! += 1;
  for (let v = 0; v < welded.length; v++) start[v + 1]! += start[v]!;
  const next = start.slice();
  const list = new Uint32Array(faces.length);
  for (let at = 0; at < faces.length; at++) {
    const vertex = welded[faces[at]!]!;
    list[next[vertex]!] = Math.floor(at / 3);
    next[vertex]! += 1;
  }
  return { start, list };
}
