import type { Shape } from './primitives.ts';

/** Width of the cells in which vertices are merged, m. */
const CELL_M = 0.007;
/** Shapes with fewer triangles are not coarsened. */
const FEW = 600;

/** Returns a mesh with far fewer triangles that looks the same from some metres away. Merges the vertices of each cell
 *  whose normals point to the same side. Removes triangles that collapse. Used for many robots and for slow
 *  renderers. */
export function coarsen(shape: Shape): Shape {
  if (shape.indices.length / 3 < FEW) return shape;
  const { positions, normals } = shape;
  const cluster = new Map<string, number>();
  const target = new Uint32Array(positions.length / 3);
  const sums: number[] = [];
  for (let k = 0; k < target.length; k++) {
    const key = `${cell(positions, k)},${facing(normals, k)}`;
    let index = cluster.get(key);
    if (index === undefined) {
      index = cluster.size;
      cluster.set(key, index);
      sums.push(0, 0, 0, 0, 0, 0, 0);
    }
    target[k] = index;
    const at = 7 * index;
    for (let axis = 0; axis < 3; axis++) {
      sums[at + axis]! += positions[3 * k + axis]!;
      sums[at + 3 + axis]! += normals[3 * k + axis]!;
    }
    sums[at + 6]! += 1;
  }
  return { ...means(sums), indices: keptTriangles(shape.indices, target) };
}

function cell(positions: Float32Array, vertex: number): string {
  const c = (axis: number) => Math.round(positions[3 * vertex + axis]! / CELL_M);
  return `${c(0)},${c(1)},${c(2)}`;
}

/** Returns which of the six axis directions a normal points to. */
function facing(normals: Float32Array, vertex: number): number {
  const [x, y, z] = [normals[3 * vertex]!, normals[3 * vertex + 1]!, normals[3 * vertex + 2]!];
  const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  if (ax >= ay && ax >= az) return x < 0 ? 0 : 1;
  if (ay >= az) return y < 0 ? 2 : 3;
  return z < 0 ? 4 : 5;
}

function means(sums: readonly number[]): Pick<Shape, 'positions' | 'normals'> {
  const count = sums.length / 7;
  const positions = new Float32Array(3 * count);
  const normals = new Float32Array(3 * count);
  for (let k = 0; k < count; k++) {
    const at = 7 * k;
    const length = Math.hypot(sums[at + 3]!, sums[at + 4]!, sums[at + 5]!) || 1;
    for (let axis = 0; axis < 3; axis++) {
      positions[3 * k + axis] = sums[at + axis]! / sums[at + 6]!;
      normals[3 * k + axis] = sums[at + 3 + axis]! / length;
    }
  }
  return { positions, normals };
}

function keptTriangles(indices: Uint32Array, target: Uint32Array): Uint32Array {
  const out = new Uint32Array(indices.length);
  const seen = new Set<string>();
  let used = 0;
  for (let at = 0; at < indices.length; at += 3) {
    const a = target[indices[at]!]!;
    const b = target[indices[at + 1]!]!;
    const c = target[indices[at + 2]!]!;
    if (a === b || b === c || a === c) continue;
    const first = Math.min(a, b, c);
    const key = first === a ? `${a},${b},${c}` : first === b ? `${b},${c},${a}` : `${c},${a},${b}`;
    if (seen.has(key)) continue;
    seen.add(key);
    out.set([a, b, c], used);
    used += 3;
  }
  return out.slice(0, used);
}
