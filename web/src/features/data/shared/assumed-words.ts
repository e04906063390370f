import type { Assumption, ReadOptions } from '../../../../../src/protocol/schemas/reading.ts';

const NAMES: Readonly<Record<Assumption['what'], string>> = {
  fps: 'Frame rate',
  units: 'Root position',
  quaternion: 'Root rotation',
  joint_order: 'Joint order',
  up: 'Up axis',
};
const VALUES: Readonly<Record<string, string>> = {
  m: 'metres',
  cm: 'centimetres',
  mm: 'millimetres',
  xyzw: 'quaternion x y z w',
  wxyz: 'quaternion w x y z',
  euler_xyz: 'Euler angles x y z',
  named: 'by name',
  robot: 'as in the robot',
};
const ORIGINS: Readonly<Record<Assumption['from'], string>> = {
  file: 'Stated in the file',
  format: 'The same in every file of this format',
  guess: 'Assumed, because the file does not state it. Use Change to correct it',
};

/** Returns the text for an assumption made to read a clip's file. Marks values that are only guessed. */
export function assumedWords({ what, value, from }: Assumption): { name: string; value: string; title: string } {
  const text = what === 'fps' ? `${value} fps` : (VALUES[value] ?? String(value).replaceAll('_', ' '));
  return { name: NAMES[what], value: from === 'guess' ? `${text} (assumed)` : text, title: ORIGINS[from] };
}

/** Returns the texts for the options that override the assumptions of a dataset. */
export function readWords(read: ReadOptions): readonly { name: string; value: string; title: string }[] {
  const title = 'Set for all clips of the dataset';
  return Object.entries(read).map(([key, value]) => {
    const what = key as keyof ReadOptions;
    const text =
      what === 'fps' ? `${value} fps` : what === 'joint_order' ? 'own order' : (VALUES[String(value)] ?? value);
    return { name: NAMES[what], value: `${text} (set)`, title };
  });
}
