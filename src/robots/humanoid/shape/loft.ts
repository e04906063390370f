import { clamp } from '../../../core/math/vector.ts';

/** A closed triangle mesh or an open patch: positions in m, faces counter-clockwise seen from outside. */
export interface Mesh {
  /** (nv, 3) */
  readonly vertices: number[];
  /** (nf, 3) */
  readonly faces: number[];
}

/** A superellipse across the loft's axis; lengths in m. */
export interface Section {
  /** position along the axis, m */
  readonly z: number;
  /** half extents from the centre line towards +x and −x */
  readonly front: number;
  readonly back: number;
  /** half extent towards ±y */
  readonly side: number;
  /** x of the centre line; default 0 */
  readonly x?: number;
  /** exponent: 2 is an ellipse, larger values are closer to a rectangle; default 2 */
  readonly n?: number;
  /** widens the front and narrows the back by this share of `side`; default 0 */
  readonly taper?: number;
}

export interface LoftOptions {
  /** number of vertices around the axis */
  readonly around?: number;
  /** number of rings between two sections */
  readonly between?: number;
}

/** Creates a skin through sections of rising z, closed by a pole at each end. Between sections all measures follow a
 *  Catmull–Rom spline, so a first or last section that is almost a point results in a dome. */
export function loft(sections: readonly Section[], { around = 28, between = 4 }: LoftOptions = {}): Mesh {
  const measures = sections.map(complete);
  const rings = (sections.length - 1) * between + 1;
  const vertices: number[] = [];
  for (let ring = 0; ring < rings; ring++) {
    const section = sectionAt(measures, ring / between);
    for (let k = 0; k < around; k++) vertices.push(...pointOn(section, (2 * Math.PI * k) / around));
  }
  const faces: number[] = [];
  for (let ring = 0; ring + 1 < rings; ring++) {
    for (let k = 0; k < around; k++) {
      const a = ring * around + k;
      const b = ring * around + ((k + 1) % around);
      faces.push(a, b, b + around, a, b + around, a + around);
    }
  }
  const last = (rings - 1) * around;
  const bottom = rings * around;
  vertices.push(...poleOf(sections[0]!), ...poleOf(sections.at(-1)!));
  for (let k = 0; k < around; k++) {
    const next = (k + 1) % around;
    faces.push(bottom, next, k, bottom + 1, last + k, last + next);
  }
  return { vertices, faces };
}

/** A shallow pad on the front (+x) of a loft, such as a visor or a lamp. Its outline is a superellipse in angle and
 *  height. Its rim lies under the skin, so that no gap is visible. */
export interface Pad {
  /** range along the axis, m */
  readonly z: number;
  readonly halfHeight: number;
  /** angle on either side of +x, rad */
  readonly halfAngle: number;
  /** thickness above the skin, m */
  readonly thickness: number;
  /** exponent of the outline */
  readonly n: number;
}

const PAD_AROUND = 40;
/** Profile of a pad from its centre to its rim: share of the outline, and height above the skin as a multiple of the
 *  thickness. It has a flat top, a rounded edge and a sunk rim. */
const PAD_PROFILE = [
  [0.3, 1],
  [0.6, 1],
  [0.82, 1],
  [0.93, 0.85],
  [0.98, 0.45],
  [1, -0.8],
] as const;

export function pad(sections: readonly Section[], { z, halfHeight, halfAngle, thickness, n }: Pad): Mesh {
  const measures = sections.map(complete);
  const at = (share: number, direction: number, lift: number) => {
    const [across, up] = superellipse(direction, n);
    const angle = share * halfAngle * across;
    const height = z + share * halfHeight * up;
    return liftedPoint(measures, angle, height, lift);
  };
  const vertices = [...at(0, 0, thickness)];
  const faces: number[] = [];
  for (const [ring, [share, lift]] of PAD_PROFILE.entries()) {
    const start = vertices.length / 3;
    for (let k = 0; k < PAD_AROUND; k++) {
      const next = (k + 1) % PAD_AROUND;
      vertices.push(...at(share, (2 * Math.PI * k) / PAD_AROUND, lift * thickness));
      if (ring === 0) faces.push(0, start + k, start + next);
      else
        faces.push(
          start - PAD_AROUND + k,
          start + k,
          start + next,
          start - PAD_AROUND + k,
          start + next,
          start - PAD_AROUND + next,
        );
    }
  }
  return { vertices, faces };
}

export function merge(...meshes: readonly Mesh[]): Mesh {
  const vertices: number[] = [];
  const faces: number[] = [];
  for (const mesh of meshes) {
    const first = vertices.length / 3;
    for (const x of mesh.vertices) vertices.push(x);
    for (const k of mesh.faces) faces.push(first + k);
  }
  return { vertices, faces };
}

/** Returns the mesh with `map` applied to every point; `map` must keep handedness. */
export function transform(mesh: Mesh, map: (x: number, y: number, z: number) => readonly number[]): Mesh {
  const vertices: number[] = [];
  for (let k = 0; k < mesh.vertices.length; k += 3) {
    vertices.push(...map(mesh.vertices[k]!, mesh.vertices[k + 1]!, mesh.vertices[k + 2]!));
  }
  return { vertices, faces: mesh.faces };
}

/** Returns the mirror image across y = 0, with faces reversed so that they still face outwards. */
export function mirrorY({ vertices, faces }: Mesh): Mesh {
  return {
    vertices: vertices.map((x, k) => (k % 3 === 1 ? -x : x)),
    faces: faces.map((_, k) => faces[k - (k % 3) + [0, 2, 1][k % 3]!]!),
  };
}

function liftedPoint(sections: readonly Measures[], angle: number, z: number, lift: number): number[] {
  const h = 1e-4;
  const at = (a: number, height: number) => pointOn(sectionAtHeight(sections, height), a);
  const point = at(angle, z);
  const around = difference(at(angle + h, z), at(angle - h, z));
  const up = difference(at(angle, z + h), at(angle, z - h));
  const normal = [
    around[1]! * up[2]! - around[2]! * up[1]!,
    around[2]! * up[0]! - around[0]! * up[2]!,
    around[0]! * up[1]! - around[1]! * up[0]!,
  ];
  const size = Math.hypot(...normal);
  return point.map((x, k) => x + (lift * normal[k]!) / size);
}

function difference(a: readonly number[], b: readonly number[]): number[] {
  return a.map((x, k) => x - b[k]!);
}

type Measures = Required<Section>;

function complete(section: Section): Measures {
  return { x: 0, n: 2, taper: 0, ...section };
}

/** @param s section index, with a fraction */
function sectionAt(sections: readonly Measures[], s: number): Measures {
  const k = Math.min(Math.floor(s), sections.length - 2);
  const u = s - k;
  const at = (i: number) => sections[clamp(i, 0, sections.length - 1)]!;
  const [p, a, b, q] = [at(k - 1), at(k), at(k + 1), at(k + 2)];
  const spline = (name: keyof Measures) => catmullRom(p[name], a[name], b[name], q[name], u);
  return {
    // Clamp between the neighbouring sections, because the spline would overshoot a flat end where the spacing changes.
    z: clamp(spline('z'), a.z, b.z),
    front: Math.max(1e-4, spline('front')),
    back: Math.max(1e-4, spline('back')),
    side: Math.max(1e-4, spline('side')),
    x: spline('x'),
    n: Math.max(1.5, spline('n')),
    taper: spline('taper'),
  };
}

function sectionAtHeight(sections: readonly Measures[], z: number): Measures {
  let low = 0;
  let high = sections.length - 1;
  for (let k = 0; k < 24; k++) {
    const middle = (low + high) / 2;
    if (sectionAt(sections, middle).z < z) low = middle;
    else high = middle;
  }
  return sectionAt(sections, low);
}

function catmullRom(p: number, a: number, b: number, q: number, u: number): number {
  return a + 0.5 * u * (b - p + u * (2 * p - 5 * a + 4 * b - q + u * (3 * (a - b) + q - p)));
}

function pointOn({ z, front, back, side, x, n, taper }: Measures, angle: number): [number, number, number] {
  const [forward, lateral] = superellipse(angle, n);
  return [x + (forward > 0 ? front : back) * forward, side * lateral * (1 + taper * forward), z];
}

function poleOf(section: Section): [number, number, number] {
  return [section.x ?? 0, 0, section.z];
}

/** Returns the point of |x|ⁿ + |y|ⁿ = 1 in direction `angle`. Such points are evenly distributed, unlike those of the
 *  usual parametrisation by powers of the cosine. */
function superellipse(angle: number, n: number): [number, number] {
  const x = Math.cos(angle);
  const y = Math.sin(angle);
  const radius = (Math.abs(x) ** n + Math.abs(y) ** n) ** (-1 / n);
  return [radius * x, radius * y];
}
