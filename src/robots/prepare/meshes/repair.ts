import { bounds, type Triangles } from './triangles.ts';

/** Reduces a mesh to at most `limit` faces by vertex clustering: merges the corners in each cell of a grid into their
 *  mean. Uses coarser and coarser grids until the limit is met. Removes faces that degenerate to a line. */
export function decimate(corners: Triangles, limit: number): Triangles {
  const { low, high } = bounds(corners);
  const extent = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  // On a grid of n³ cells, a surface keeps about 4 n² to 12 n² faces, depending on its shape.
  for (let cells = Math.min(1023, Math.ceil(Math.sqrt(limit / 4))); cells > 1; cells = Math.floor(cells * 0.75)) {
    const merged = cluster(corners, low, cells / extent);
    if (merged.length <= 9 * limit) return merged;
  }
  return new Float32Array(0);
}

/** @param scale cells per metre, with at most 1024 cells along an axis: three indices of 10 bits then fit into a 32-bit
 *  integer */
function cluster(corners: Triangles, low: readonly [number, number, number], scale: number): Triangles {
  const count = corners.length / 3;
  const ids = new Map<number, number>();
  const idOf = new Int32Array(count);
  for (let v = 0; v < count; v++) {
    const x = Math.trunc((corners[3 * v]! - low[0]) * scale);
    const y = Math.trunc((corners[3 * v + 1]! - low[1]) * scale);
    const z = Math.trunc((corners[3 * v + 2]! - low[2]) * scale);
    const key = (((x << 10) | y) << 10) | z;
    let id = ids.get(key);
    if (id === undefined) {
      id = ids.size;
      ids.set(key, id);
    }
    idOf[v] = id;
  }
  const sums = new Float64Array(3 * ids.size);
  const counts = new Int32Array(ids.size);
  for (let v = 0; v < count; v++) {
    const id = idOf[v]!;
    counts[id]!++;
    for (let axis = 0; axis < 3; axis++) sums[3 * id + axis]! += corners[3 * v + axis]!;
  }
  const faces = new Map<number, number>();
  for (let v = 0; v < count; v += 3) {
    const [a, b, c] = [idOf[v]!, idOf[v + 1]!, idOf[v + 2]!];
    if (a === b || b === c || a === c) continue;
    const first = Math.min(a, b, c);
    const last = Math.max(a, b, c);
    const key = (first * ids.size + (a + b + c - first - last)) * ids.size + last;
    if (!faces.has(key)) faces.set(key, v);
  }
  const out = new Float32Array(9 * faces.size);
  let at = 0;
  for (const v of faces.values()) {
    for (let k = 0; k < 3; k++) {
      const id = idOf[v + k]!;
      for (let axis = 0; axis < 3; axis++) out[at++] = sums[3 * id + axis]! / counts[id]!;
    }
  }
  return out;
}

/** A mesh whose thickness is below this share of its extent is flat: MuJoCo cannot compute its convex hull. */
const FLAT = 1e-6;

/** Returns the unit normal of the plane that contains all corners; null if the mesh is not flat, or has no extent. */
export function flatNormal(corners: Triangles): readonly [number, number, number] | null {
  const { low, high } = bounds(corners);
  const extent = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  if (!(extent > 0)) return null;
  let normal: [number, number, number] | null = null;
  let largest = 0;
  for (let at = 0; at < corners.length; at += 9) {
    const cross = faceNormal(corners, at);
    const length = Math.hypot(...cross);
    if (length <= largest) continue;
    largest = length;
    normal = [cross[0] / length, cross[1] / length, cross[2] / length];
  }
  if (!normal) return null;
  const height = (at: number) => normal[0] * corners[at]! + normal[1] * corners[at + 1]! + normal[2] * corners[at + 2]!;
  const first = height(0);
  for (let at = 3; at < corners.length; at += 3) if (Math.abs(height(at) - first) > FLAT * extent) return null;
  return normal;
}

/** Returns whether any face has an area. A part whose faces are all lines or points cannot be drawn. */
export function hasArea(corners: Triangles): boolean {
  for (let at = 0; at < corners.length; at += 9) if (Math.hypot(...faceNormal(corners, at)) > 0) return true;
  return false;
}

function faceNormal(corners: Triangles, at: number): [number, number, number] {
  const edge = (k: number, axis: number) => corners[at + 3 * k + axis]! - corners[at + axis]!;
  const u = [edge(1, 0), edge(1, 1), edge(1, 2)] as const;
  const v = [edge(2, 0), edge(2, 1), edge(2, 2)] as const;
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
}

/** Adds a second side to a flat mesh, behind the first side by 1/1000 of the mesh's extent. */
export function thicken(corners: Triangles, normal: readonly [number, number, number]): Triangles {
  const { low, high } = bounds(corners);
  const depth = 1e-3 * Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  const out = new Float32Array(2 * corners.length);
  out.set(corners);
  for (let at = 0; at < corners.length; at += 9) {
    for (let k = 0; k < 3; k++) {
      // Reverse the order of corners, so that the second side faces away from the first.
      for (let axis = 0; axis < 3; axis++) {
        out[corners.length + at + 3 * (2 - k) + axis] = corners[at + 3 * k + axis]! - depth * normal[axis]!;
      }
    }
  }
  return out;
}
