import { loft, type Mesh, merge, pad, type Section, transform } from './loft.ts';

/** Torso frame: origin at the waist joint. */
const CHEST: readonly Section[] = [
  { z: 0.052, front: 0.004, back: 0.004, side: 0.004, n: 2.3 },
  { z: 0.056, front: 0.047, back: 0.042, side: 0.064, n: 2.3 },
  { z: 0.1, front: 0.066, back: 0.058, side: 0.093, n: 2.4 },
  { z: 0.19, front: 0.087, back: 0.074, side: 0.119, n: 2.6 },
  { z: 0.27, front: 0.097, back: 0.083, side: 0.136, n: 2.7 },
  { z: 0.318, front: 0.083, back: 0.074, side: 0.121, n: 2.6 },
  { z: 0.337, front: 0.043, back: 0.04, side: 0.062, n: 2.3 },
  { z: 0.34, front: 0.004, back: 0.004, side: 0.006, n: 2.3 },
];

/** Height of the centre of the head above the waist joint, m. */
export const HEAD_CENTRE = 0.469;
const HEAD: readonly Section[] = [
  { z: -0.088, front: 0.004, back: 0.004, side: 0.003 },
  { z: -0.082, front: 0.046, back: 0.036, side: 0.039, x: 0.006 },
  { z: -0.042, front: 0.068, back: 0.062, side: 0.06, n: 2.2 },
  { z: 0.018, front: 0.076, back: 0.077, side: 0.07, n: 2.3 },
  { z: 0.061, front: 0.064, back: 0.068, side: 0.061, n: 2.3 },
  { z: 0.083, front: 0.036, back: 0.038, side: 0.034, n: 2.1 },
  { z: 0.088, front: 0.004, back: 0.004, side: 0.003 },
];

const NECK: readonly Section[] = [
  { z: 0.325, front: 0.05, back: 0.05, side: 0.055 },
  { z: 0.346, front: 0.043, back: 0.041, side: 0.05 },
  { z: 0.362, front: 0.034, back: 0.034, side: 0.036 },
  { z: 0.4, front: 0.034, back: 0.034, side: 0.036 },
];

/** Dark bellows between pelvis and chest, in the torso frame. */
const WAIST: readonly Section[] = [
  { z: -0.02, front: 0.052, back: 0.05, side: 0.062 },
  { z: 0.015, front: 0.042, back: 0.042, side: 0.05 },
  { z: 0.04, front: 0.043, back: 0.042, side: 0.052 },
  { z: 0.07, front: 0.052, back: 0.048, side: 0.066 },
];

/** Pelvis frame. */
const PELVIS: readonly Section[] = [
  { z: -0.08, front: 0.003, back: 0.003, side: 0.004 },
  { z: -0.072, front: 0.048, back: 0.046, side: 0.062, n: 2.2 },
  { z: -0.015, front: 0.075, back: 0.077, side: 0.106, n: 2.2 },
  { z: 0.042, front: 0.07, back: 0.068, side: 0.096, n: 2.2 },
  { z: 0.074, front: 0.048, back: 0.046, side: 0.064 },
  { z: 0.082, front: 0.004, back: 0.004, side: 0.005 },
];

export function pelvisMesh(): Mesh {
  return loft(PELVIS, { around: 36 });
}

export function chestMesh(): Mesh {
  return loft(CHEST, { around: 48 });
}

export function headMesh(): Mesh {
  return loft(HEAD, { around: 40 });
}

/** Creates the dark parts of the torso: neck, waist, visor and back panel. */
export function torsoDarkMesh(): Mesh {
  const visor = pad(HEAD, { z: 0.012, halfHeight: 0.023, halfAngle: 1.08, thickness: 0.003, n: 3 });
  const backwards = CHEST.map((section) => ({ ...section, front: section.back, back: section.front }));
  const panel = pad(backwards, { z: 0.2, halfHeight: 0.088, halfAngle: 0.62, thickness: 0.005, n: 4 });
  return merge(
    loft(NECK),
    loft(WAIST, { around: 32 }),
    onHead(visor),
    transform(panel, (x, y, z) => [-x, -y, z]),
  );
}

/** Creates the light strips of visor and chest. */
export function torsoAccentMesh(): Mesh {
  const eyes = pad(HEAD, { z: 0.012, halfHeight: 0.0042, halfAngle: 0.68, thickness: 0.0045, n: 5 });
  const chest = pad(CHEST, { z: 0.253, halfHeight: 0.008, halfAngle: 0.33, thickness: 0.004, n: 5 });
  return merge(onHead(eyes), chest);
}

function onHead(mesh: Mesh): Mesh {
  return transform(mesh, (x, y, z) => [x, y, z + HEAD_CENTRE]);
}
