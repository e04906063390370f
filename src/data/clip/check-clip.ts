import path from 'node:path';
import { clipFileType, isBundle } from '../../formats/clip-registry.ts';
import type { ReadOptions } from '../../protocol/schemas/reading.ts';
import { columnOrder } from './joint-order.ts';

/** The robot for which a clip is checked. */
export interface CheckedFor {
  /** 7 + number of joints of the robot */
  readonly columns: number;
  /** joints of the robot in column order */
  readonly jointNames: readonly string[];
}

/** Reads a whole file and checks that it is a clip of the robot. Accepts values that are not finite, because the
 *  quality checks report their frames. Has no side effects, so it can run on any thread.
 *  @param format id of a clip format  @param read options that override what the file or its format states
 *  @returns whether the file is one clip or a bundle; the clips of a bundle are checked when it is split
 *  @throws bad_input naming the file and its problem */
export async function checkClip(
  file: string,
  format: string,
  robot: CheckedFor,
  read: ReadOptions = {},
): Promise<'clip' | 'bundle'> {
  const name = path.basename(file);
  const facts = await clipFileType(format).facts(file);
  const jointNames = read.joint_order ?? facts.jointNames ?? null;
  columnOrder({ ...facts, jointNames }, robot, name);
  if (isBundle(facts)) return 'bundle';
  columnOrder(await clipFileType(format).read(file, read), robot, name);
  return 'clip';
}
