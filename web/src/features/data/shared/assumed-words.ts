import type { Assumption } from '../../../../../src/protocol/schemas/reading.ts';

const NAMES: Readonly<Record<Assumption['what'], string>> = {
  fps: 'Source rate',
  units: 'Positions in',
  quaternion: 'Rotation as',
  joint_order: 'Joints',
  up: 'Up',
};
const VALUES: Readonly<Record<string, string>> = {
  m: 'metres',
  cm: 'centimetres',
  mm: 'millimetres',
  xyzw: 'quaternion x y z w',
  wxyz: 'quaternion w x y z',
  euler_xyz: 'Euler angles x y z',
  named: 'by their names',
  robot: "in the robot's order",
};
const ORIGINS: Readonly<Record<Assumption['from'], string>> = {
  file: 'stated in the file',
  format: 'as every file of this format',
  guess: 'assumed: the file does not state it',
};

/** Returns the text for an assumption made to read a clip's file. Marks values that are only guessed. */
export function assumedWords({ what, value, from }: Assumption): { name: string; value: string; title: string } {
  const text = what === 'fps' ? `${value} fps` : (VALUES[value] ?? String(value).replaceAll('_', ' '));
  return { name: NAMES[what], value: from === 'guess' ? `${text} (assumed)` : text, title: ORIGINS[from] };
}
