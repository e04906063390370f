import path from 'node:path';
import { StudioError } from '../../core/errors.ts';
import { writeWholeSync } from '../../core/files/atomic-file.ts';
import { BASIC_MOTIONS, generateBasic } from '../../motion/basics/basic-motions.ts';
import { type ClipRobotSource, openClipRobot } from '../../motion/clip-robot.ts';
import { AS_STATED } from '../dataset-file.ts';
import { clipCsv } from './clip-csv.ts';

/** Generates the basic motions of a robot and writes each as `<name>.csv` into `folder`. Skips motions that its legs
 * cannot do, such as swaying without joints that move to the side.
 *  @returns the names of the clips  @throws bad_input if no motion is possible, disk_full */
export async function writeBasicClips(from: ClipRobotSource, folder: string): Promise<string[]> {
  const robot = await openClipRobot(from);
  const joints = from.facts.joints.map((joint) => joint.name);
  let refusal: StudioError | null = null;
  const names = BASIC_MOTIONS.filter((name) => {
    try {
      writeWholeSync(
        path.join(folder, `${name}.csv`),
        clipCsv(generateBasic(robot, name), { read: AS_STATED, joints }),
      );
      return true;
    } catch (error) {
      if (!(error instanceof StudioError) || error.code !== 'bad_input') throw error;
      refusal ??= error;
      return false;
    }
  });
  if (names.length === 0 && refusal) throw refusal;
  return names;
}
