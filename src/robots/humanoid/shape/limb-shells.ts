import { SIZE } from '../links.ts';
import { loft, type Mesh, merge, mirrorY, type Section, transform } from './loft.ts';

const THIGH: readonly Section[] = [
  { z: -0.268, front: 0.003, back: 0.003, side: 0.003 },
  { z: -0.264, front: 0.04, back: 0.036, side: 0.037 },
  { z: -0.235, front: 0.048, back: 0.042, side: 0.044 },
  { z: -0.155, front: 0.064, back: 0.057, side: 0.058, n: 2.2 },
  { z: -0.087, front: 0.069, back: 0.065, side: 0.062, n: 2.2 },
  { z: -0.03, front: 0.05, back: 0.05, side: 0.046 },
  { z: -0.02, front: 0.003, back: 0.003, side: 0.003 },
];

/** The calf is thicker at the back. */
const SHIN: readonly Section[] = [
  { z: -0.258, front: 0.003, back: 0.003, side: 0.003 },
  { z: -0.254, front: 0.027, back: 0.029, side: 0.026 },
  { z: -0.235, front: 0.031, back: 0.033, side: 0.031 },
  { z: -0.178, front: 0.04, back: 0.048, side: 0.042, n: 2.2 },
  { z: -0.105, front: 0.047, back: 0.058, side: 0.05, n: 2.2 },
  { z: -0.043, front: 0.042, back: 0.042, side: 0.039 },
  { z: -0.034, front: 0.003, back: 0.003, side: 0.003 },
];

const UPPER_ARM: readonly Section[] = [
  { z: -0.193, front: 0.003, back: 0.003, side: 0.003 },
  { z: -0.189, front: 0.029, back: 0.029, side: 0.027 },
  { z: -0.155, front: 0.036, back: 0.035, side: 0.034 },
  { z: -0.05, front: 0.047, back: 0.047, side: 0.044, n: 2.2 },
  { z: -0.005, front: 0.047, back: 0.047, side: 0.042, n: 2.2 },
  { z: 0.03, front: 0.032, back: 0.032, side: 0.03 },
  { z: 0.038, front: 0.003, back: 0.003, side: 0.003 },
];

const FOREARM: readonly Section[] = [
  { z: -0.184, front: 0.003, back: 0.003, side: 0.003 },
  { z: -0.181, front: 0.024, back: 0.024, side: 0.021 },
  { z: -0.15, front: 0.031, back: 0.031, side: 0.028 },
  { z: -0.08, front: 0.038, back: 0.037, side: 0.035, n: 2.2 },
  { z: -0.036, front: 0.03, back: 0.03, side: 0.029 },
  { z: -0.028, front: 0.003, back: 0.003, side: 0.003 },
];

/** Foot frame: origin at the ankle, sole at −{@link SIZE.ankle}. Sections are soles seen from above. */
const SOLE: readonly Section[] = [
  { z: -SIZE.ankle, x: 0.02, front: 0.004, back: 0.004, side: 0.004, n: 2.6 },
  { z: -SIZE.ankle + 0.0005, x: 0.02, front: 0.104, back: 0.079, side: 0.033, n: 2.6, taper: 0.1 },
  { z: -SIZE.ankle + 0.01, x: 0.02, front: 0.115, back: 0.087, side: 0.04, n: 2.6, taper: 0.1 },
  { z: -0.036, x: 0.02, front: 0.112, back: 0.085, side: 0.039, n: 2.6, taper: 0.1 },
  { z: -0.028, x: 0.02, front: 0.1, back: 0.076, side: 0.031, n: 2.5, taper: 0.1 },
  { z: -0.027, x: 0.02, front: 0.004, back: 0.004, side: 0.004, n: 2.5 },
];

const INSTEP: readonly Section[] = [
  { z: -0.038, x: 0.015, front: 0.094, back: 0.071, side: 0.034, n: 2.3 },
  { z: -0.028, x: 0.015, front: 0.089, back: 0.069, side: 0.036, n: 2.3 },
  { z: -0.008, x: 0.01, front: 0.062, back: 0.06, side: 0.037, n: 2.2 },
  { z: 0.01, x: 0.004, front: 0.036, back: 0.041, side: 0.032 },
  { z: 0.017, x: 0.002, front: 0.024, back: 0.028, side: 0.023 },
  { z: 0.019, x: 0, front: 0.003, back: 0.003, side: 0.003 },
];

const PALM: readonly Section[] = [
  { z: -0.052, front: 0.003, back: 0.003, side: 0.002 },
  { z: -0.049, front: 0.02, back: 0.02, side: 0.009, n: 3 },
  { z: -0.025, front: 0.023, back: 0.023, side: 0.0125, n: 3 },
  { z: -0.004, front: 0.018, back: 0.018, side: 0.014 },
  { z: 0.022, front: 0.019, back: 0.019, side: 0.018 },
];

export function thighMesh(): Mesh {
  return loft(THIGH, { around: 30 });
}

export function shinMesh(): Mesh {
  return loft(SHIN, { around: 28 });
}

export function upperArmMesh(): Mesh {
  return loft(UPPER_ARM, { around: 26 });
}

export function forearmMesh(): Mesh {
  return loft(FOREARM, { around: 26 });
}

export function soleMesh(): Mesh {
  return loft(SOLE, { around: 40, between: 3 });
}

export function instepMesh(): Mesh {
  return loft(INSTEP, { around: 32 });
}

/** Creates a drum across the limb (axis y) with a rounded rim, centred in the joint. */
export function drumMesh(radius: number, halfLength: number): Mesh {
  const rim = Math.min(0.006, halfLength / 3);
  const ring = (z: number, r: number): Section => ({ z, front: r, back: r, side: r });
  const half: Section[] = [
    ring(0, radius),
    ring(halfLength - rim, radius),
    ring(halfLength - 0.3 * rim, radius - 0.3 * rim),
    ring(halfLength, radius - rim),
    ring(halfLength, 0.003),
  ];
  const below = half
    .slice(1)
    .reverse()
    .map((section) => ({ ...section, z: -section.z }));
  return transform(loft([...below, ...half], { around: 32, between: 2 }), (x, y, z) => [x, -z, y]);
}

/** Creates a hand: palm, four slightly bent fingers and a thumb. The left palm faces −y, towards the body. */
export function handMesh(side: 'left' | 'right'): Mesh {
  const fingers = [-0.0165, -0.0055, 0.0055, 0.0165].map((x, k) =>
    finger([x, 0, -0.048], [0.1 * x, -0.012, -0.032 - (k === 1 || k === 2 ? 0.006 : 0)], 0.0062),
  );
  const thumb = finger([0.02, -0.006, -0.018], [0.016, -0.012, -0.03], 0.0068);
  const left = merge(loft(PALM, { around: 24, between: 3 }), ...fingers, thumb);
  return side === 'left' ? left : mirrorY(left);
}

/** Creates a capsule from `base` along `reach`, m. */
function finger(base: readonly number[], reach: readonly number[], radius: number): Mesh {
  const size = Math.hypot(...reach);
  const ring = (z: number, r: number): Section => ({ z, front: r, back: r, side: r });
  const bone = loft(
    [
      ring(-radius, 0.1 * radius),
      ring(-0.7 * radius, 0.7 * radius),
      ring(0, radius),
      ring(size, 0.92 * radius),
      ring(size + 0.65 * radius, 0.65 * radius),
      ring(size + 0.92 * radius, 0.08 * radius),
    ],
    { around: 10, between: 2 },
  );
  const up = reach.map((r) => r / size);
  // A right-handed frame whose z runs along the finger.
  const across = [0, -up[2]!, up[1]!].map((c) => c / Math.hypot(up[1]!, up[2]!));
  const third = [
    across[1]! * up[2]! - across[2]! * up[1]!,
    across[2]! * up[0]! - across[0]! * up[2]!,
    across[0]! * up[1]! - across[1]! * up[0]!,
  ];
  return transform(bone, (x, y, z) => [0, 1, 2].map((k) => base[k]! + x * -third[k]! + y * across[k]! + z * up[k]!));
}
