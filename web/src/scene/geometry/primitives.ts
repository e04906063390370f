/** Triangle mesh of one geom. */
export interface Shape {
  /** (n, 3) m */
  readonly positions: Float32Array;
  /** (n, 3) unit vectors */
  readonly normals: Float32Array;
  /** (m, 3) vertex indices */
  readonly indices: Uint32Array;
}

/** Points of a profile in the half plane (r, z) with their normals, from top to bottom. */
type Profile = readonly (readonly [r: number, z: number, nr: number, nz: number])[];

/** Returns an arc of a profile around `centre` (r, z) between two angles, rad from the z axis. */
function arc([cr, cz]: readonly [number, number], radius: number, from: number, to: number, steps: number): Profile {
  return Array.from({ length: steps + 1 }, (_, k) => {
    const angle = from + ((to - from) * k) / steps;
    const s = Math.sin(angle);
    const c = Math.cos(angle);
    return [cr + radius * s, cz + radius * c, s, c] as const;
  });
}

/** Revolves a profile around the z axis. */
function revolve(profile: Profile, segments: number): Shape {
  const rings = profile.length;
  const positions = new Float32Array(3 * rings * (segments + 1));
  const normals = new Float32Array(positions.length);
  const indices = new Uint32Array(6 * (rings - 1) * segments);
  let at = 0;
  for (const [r, z, nr, nz] of profile) {
    for (let k = 0; k <= segments; k++, at += 3) {
      const angle = (2 * Math.PI * k) / segments;
      const c = Math.cos(angle);
      const s = Math.sin(angle);
      positions.set([r * c, r * s, z], at);
      normals.set([nr * c, nr * s, nz], at);
    }
  }
  let face = 0;
  for (let ring = 0; ring + 1 < rings; ring++) {
    for (let k = 0; k < segments; k++, face += 6) {
      const a = ring * (segments + 1) + k;
      const b = a + segments + 1;
      indices.set([a, b, b + 1, a, b + 1, a + 1], face);
    }
  }
  return { positions, normals, indices };
}

/** Returns the number of segments of a circle of radius `r`, m. The circle looks round at arm's length. */
const around = (r: number) => (r < 0.012 ? 16 : r < 0.03 ? 24 : 40);

export function sphere(radius: number): Shape {
  return revolve(arc([0, 0], radius, 0, Math.PI, around(radius) >> 1), around(radius));
}

/** @param radii (3,) m */
export function ellipsoid(radii: ArrayLike<number>): Shape {
  const [a = 1, b = 1, c = 1] = Array.from(radii);
  const shape = revolve(arc([0, 0], 1, 0, Math.PI, 20), 40);
  for (let at = 0; at < shape.positions.length; at += 3) {
    const scaled = [shape.normals[at]! / a, shape.normals[at + 1]! / b, shape.normals[at + 2]! / c];
    const length = Math.hypot(scaled[0]!, scaled[1]!, scaled[2]!);
    for (let k = 0; k < 3; k++) {
      shape.positions[at + k]! *= [a, b, c][k]!;
      shape.normals[at + k] = scaled[k]! / length;
    }
  }
  return shape;
}

/** Returns a capsule along z. @param half half length of the straight part, m */
export function capsule(radius: number, half: number): Shape {
  const quarter = Math.PI / 2;
  const steps = around(radius) >> 2;
  return revolve(
    [...arc([0, half], radius, 0, quarter, steps), ...arc([0, -half], radius, quarter, Math.PI, steps)],
    around(radius),
  );
}

/** Returns a cylinder along z. The rims are slightly rounded so that they catch light. @param half half height, m */
export function cylinder(radius: number, half: number): Shape {
  const bevel = Math.min(0.004, 0.25 * radius, 0.25 * half);
  const quarter = Math.PI / 2;
  const r = radius - bevel;
  return revolve(
    [
      [0, half, 0, 1],
      ...arc([r, half - bevel], bevel, 0, quarter, 4),
      ...arc([r, bevel - half], bevel, quarter, Math.PI, 4),
      [0, -half, 0, -1],
    ],
    around(radius),
  );
}

/** Returns a cone along z with its base at 0. */
export function cone(radius: number, height: number): Shape {
  const slant = Math.hypot(radius, height);
  const [nr, nz] = [height / slant, radius / slant];
  return revolve(
    [
      [0, height, nr, nz],
      [radius, 0, nr, nz],
      [radius, 0, 0, -1],
      [0, 0, 0, -1],
    ],
    around(radius),
  );
}

/** Returns a flat ring in the xy plane, facing up. */
export function ring(inner: number, outer: number): Shape {
  return revolve(
    [
      [inner, 0, 0, 1],
      [outer, 0, 0, 1],
    ],
    around(outer),
  );
}

/** Returns a flat square around the origin, facing up. @param half half side length, m */
export function square(half: number): Shape {
  return {
    positions: Float32Array.of(-half, -half, 0, half, -half, 0, half, half, 0, -half, half, 0),
    normals: Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1),
    indices: Uint32Array.of(0, 1, 2, 0, 2, 3),
  };
}

/** Tangents of the angles across a rounded edge. The flat part lies between the two zeros. */
const EDGE = [
  -1,
  -Math.tan(Math.PI / 6),
  -Math.tan(Math.PI / 12),
  -0,
  0,
  Math.tan(Math.PI / 12),
  Math.tan(Math.PI / 6),
  1,
];
/** Face axis, its sign, and the two axes along the face; right-handed, so that triangles face outwards. */
const FACES: readonly (readonly [axis: number, sign: number, u: number, v: number])[] = [
  [0, 1, 1, 2],
  [0, -1, 2, 1],
  [1, 1, 2, 0],
  [1, -1, 0, 2],
  [2, 1, 0, 1],
  [2, -1, 1, 0],
];

/** Returns a box with slightly rounded edges. @param half (3,) half sizes, m */
export function box(half: ArrayLike<number>): Shape {
  const sizes = [half[0] ?? 0.1, half[1] ?? 0.1, half[2] ?? 0.1];
  const radius = Math.min(0.008, 0.3 * Math.min(...sizes));
  const n = EDGE.length;
  const positions = new Float32Array(FACES.length * n * n * 3);
  const normals = new Float32Array(positions.length);
  const indices = new Uint32Array(FACES.length * (n - 1) * (n - 1) * 6);
  let at = 0;
  let face = 0;
  for (const [axis, sign, u, v] of FACES) {
    const first = at / 3;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++, at += 3) {
        const direction = [0, 0, 0];
        direction[axis] = sign;
        direction[u] = EDGE[i]!;
        direction[v] = EDGE[j]!;
        const length = Math.hypot(direction[0]!, direction[1]!, direction[2]!);
        for (let k = 0; k < 3; k++) {
          const low = k === u ? i < n / 2 : k === v ? j < n / 2 : sign < 0;
          const normal = direction[k]! / length;
          normals[at + k] = normal;
          positions[at + k] = (low ? -1 : 1) * (sizes[k]! - radius) + radius * normal;
        }
      }
    }
    for (let i = 0; i + 1 < n; i++) {
      for (let j = 0; j + 1 < n; j++, face += 6) {
        const a = first + i * n + j;
        indices.set([a, a + n, a + n + 1, a, a + n + 1, a + 1], face);
      }
    }
  }
  return { positions, normals, indices };
}
