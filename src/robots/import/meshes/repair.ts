import { bounds, type Triangles } from './triangles.ts';

/** Merges corners that lie in the same cell of a grid, coarser and coarser, until at most `limit` faces are left.
 *  Every cell is stood for by the mean of its corners; faces that shrink to a line go. */
export function decimate(corners: Triangles, limit: number): Triangles {
  const { low, high } = bounds(corners);
  const extent = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  // A closed surface of f faces crosses about f / 2 cells; of a cube of n³ cells it is at most 6 n².
  for (let cells = Math.ceil(Math.sqrt(limit)); cells > 1; cells = Math.floor(cells * 0.8)) {
    const merged = cluster(corners, low, extent / cells);
    if (merged.length <= 9 * limit) return merged;
  }
  return new Float32Array(0);
}

function cluster(corners: Triangles, low: readonly number[], cell: number): Triangles {
  const ids = new Map<number, number>();
  const sums: number[] = [];
  const counts: number[] = [];
  const idOf = new Int32Array(corners.length / 3);
  const width = 1 << 17;
  for (let v = 0; v < idOf.length; v++) {
    const at = [0, 1, 2].map((axis) => Math.floor((corners[3 * v + axis]! - low[axis]!) / cell));
    const key = (at[0]! * width + at[1]!) * width + at[2]!;
    let id = ids.get(key);
    if (id === undefined) {
      id = counts.length;
      ids.set(key, id);
      counts.push(0);
      sums.push(0, 0, 0);
    }
    idOf[v] = id;
    counts[id]!++;
    for (let axis = 0; axis < 3; axis++) sums[3 * id + axis]! += corners[3 * v + axis]!;
  }
  const out: number[] = [];
  const seen = new Set<string>();
  for (let v = 0; v < idOf.length; v += 3) {
    const face = [idOf[v]!, idOf[v + 1]!, idOf[v + 2]!];
    const [a, b, c] = face as [number, number, number];
    if (a === b || b === c || a === c) continue;
    const key = face.sort((p, q) => p - q).join();
    if (seen.has(key)) continue;
    seen.add(key);
    for (const id of [a, b, c]) {
      for (let axis = 0; axis < 3; axis++) out.push(sums[3 * id + axis]! / counts[id]!);
    }
  }
  return Float32Array.from(out);
}

/** A plane's thickness relative to its extent below which MuJoCo finds no hull. */
const FLAT = 1e-6;

/** Unit normal of the plane that all corners lie in; null for a mesh with depth, or without any extent. */
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

function faceNormal(corners: Triangles, at: number): [number, number, number] {
  const edge = (k: number, axis: number) => corners[at + 3 * k + axis]! - corners[at + axis]!;
  const u = [edge(1, 0), edge(1, 1), edge(1, 2)] as const;
  const v = [edge(2, 0), edge(2, 1), edge(2, 2)] as const;
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
}

/** Gives a flat mesh a second side, 1/1000 of its extent behind the first. */
export function thicken(corners: Triangles, normal: readonly [number, number, number]): Triangles {
  const { low, high } = bounds(corners);
  const depth = 1e-3 * Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  const out = new Float32Array(2 * corners.length);
  out.set(corners);
  for (let at = 0; at < corners.length; at += 9) {
    for (let k = 0; k < 3; k++) {
      // the other way round, so that it faces away
      for (let axis = 0; axis < 3; axis++) {
        out[corners.length + at + 3 * (2 - k) + axis] = corners[at + 3 * k + axis]! - depth * normal[axis]!;
      }
    }
  }
  return out;
}
