import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

interface SonicOptions {
  /** for each column of `joint_pos.csv`: index of the robot's joint */
  readonly order: readonly number[];
  /** column names of `joint_pos.csv` */
  readonly header?: readonly string[];
  /** numbers of the bodies in the tables */
  readonly bodies?: readonly number[];
  /** additional lines of `metadata.txt` */
  readonly more?: string;
}

/** Writes the tables of a clip in the form that a SONIC deployment reads.
 *  @param rows x y z, quaternion wxyz, joints in the robot's order */
export function writeSonicClip(
  folder: string,
  rows: readonly (readonly number[])[],
  { order, header = order.map((_, k) => `joint_${k}`), bodies = [0, 4], more = '' }: SonicOptions,
): void {
  mkdirSync(folder, { recursive: true });
  const table = (file: string, names: readonly string[], of: (row: readonly number[]) => readonly number[]) =>
    writeFileSync(path.join(folder, file), `${[names, ...rows.map(of)].map((line) => line.join(',')).join('\n')}\n`);
  const perBody = (letters: string) => bodies.flatMap((_, body) => [...letters].map((axis) => `body_${body}_${axis}`));
  table('joint_pos.csv', header, (row) => order.map((joint) => row[7 + joint]!));
  table('body_pos.csv', perBody('xyz'), (row) => {
    const root = row.slice(0, 3);
    return [...root, ...bodies.slice(1).flatMap(() => root)];
  });
  table('body_quat.csv', perBody('wxyz'), (row) => bodies.flatMap(() => row.slice(3, 7)));
  writeFileSync(
    path.join(folder, 'metadata.txt'),
    `Metadata for: ${path.basename(folder)}\n==============================\n\nBody part indexes:\n[${bodies.join(' ')}]\n\n${more}Total timesteps: ${rows.length}\n`,
  );
}
