import { SIZE } from './links.ts';
import {
  drumMesh,
  forearmMesh,
  handMesh,
  instepMesh,
  shinMesh,
  soleMesh,
  thighMesh,
  upperArmMesh,
} from './shape/limb-shells.ts';
import type { Mesh } from './shape/loft.ts';
import { chestMesh, HEAD_CENTRE, headMesh, pelvisMesh, torsoAccentMesh, torsoDarkMesh } from './shape/torso-shells.ts';

export type Material = 'shell' | 'dark' | 'accent';

export const MATERIALS: Readonly<Record<Material, string>> = {
  shell: '0.765 0.788 0.82 1',
  dark: '0.169 0.184 0.212 1',
  accent: '0.302 0.639 1 1',
};

/** A shape drawn on a body: a mesh by name, a sphere, or a disc across the limb (axis y); m. */
export interface Visual {
  readonly body: string;
  readonly material: Material;
  readonly mesh?: string;
  /** radius */
  readonly sphere?: number;
  /** radius and half length */
  readonly disc?: readonly [number, number];
  readonly position?: readonly [number, number, number];
}

const SIDES = ['left', 'right'] as const;

/** Returns all meshes by name. Meshes used on both sides are symmetric about y = 0. */
export function visualMeshes(): ReadonlyMap<string, Mesh> {
  return new Map([
    ['pelvis', pelvisMesh()],
    ['chest', chestMesh()],
    ['head', headMesh()],
    ['torso_dark', torsoDarkMesh()],
    ['torso_accent', torsoAccentMesh()],
    ['thigh', thighMesh()],
    ['knee_drum', drumMesh(0.042, 0.044)],
    ['shin', shinMesh()],
    ['instep', instepMesh()],
    ['sole', soleMesh()],
    ['upper_arm', upperArmMesh()],
    ['elbow_drum', drumMesh(0.031, 0.036)],
    ['forearm', forearmMesh()],
    ...SIDES.map((side): [string, Mesh] => [`${side}_hand`, handMesh(side)]),
  ]);
}

export const VISUALS: readonly Visual[] = [
  { body: 'pelvis', material: 'dark', mesh: 'pelvis' },
  { body: 'torso_link', material: 'shell', mesh: 'chest' },
  { body: 'torso_link', material: 'shell', mesh: 'head', position: [0, 0, HEAD_CENTRE] },
  { body: 'torso_link', material: 'dark', mesh: 'torso_dark' },
  { body: 'torso_link', material: 'accent', mesh: 'torso_accent' },
  ...SIDES.flatMap((side): Visual[] => [
    { body: `${side}_hip_pitch_link`, material: 'dark', sphere: 0.058 },
    { body: `${side}_hip_yaw_link`, material: 'shell', mesh: 'thigh' },
    { body: `${side}_hip_yaw_link`, material: 'dark', mesh: 'knee_drum', position: [0, 0, -SIZE.thigh] },
    { body: `${side}_hip_yaw_link`, material: 'accent', disc: [0.021, 0.0465], position: [0, 0, -SIZE.thigh] },
    { body: `${side}_knee_link`, material: 'shell', mesh: 'shin' },
    { body: `${side}_ankle_pitch_link`, material: 'dark', sphere: 0.029 },
    { body: `${side}_ankle_roll_link`, material: 'shell', mesh: 'instep' },
    { body: `${side}_ankle_roll_link`, material: 'dark', mesh: 'sole' },
    { body: `${side}_shoulder_pitch_link`, material: 'dark', sphere: 0.053 },
    { body: `${side}_shoulder_yaw_link`, material: 'shell', mesh: 'upper_arm' },
    { body: `${side}_shoulder_yaw_link`, material: 'dark', mesh: 'elbow_drum', position: [0, 0, -SIZE.upperArm] },
    { body: `${side}_elbow_link`, material: 'shell', mesh: 'forearm' },
    { body: `${side}_hand_link`, material: 'dark', mesh: `${side}_hand` },
  ]),
];
