import path from 'node:path';
import type { Assumption } from '../../protocol/schemas/reading.ts';
import type { ClipFormat } from '../clip-format.ts';
import { csvFacts } from '../csv/csv-facts.ts';
import { readRateLine } from '../csv/rate-line.ts';
import { parseClipCsv } from '../csv.ts';
import type { WholeFile } from '../whole-file.ts';

const ASSUMED: readonly Assumption[] = [
  { what: 'quaternion', value: 'xyzw', from: 'format' },
  { what: 'units', value: 'm', from: 'format' },
];

/** CSV with rows `x,y,z,qx,qy,qz,qw,joint…`, the layout of the LAFAN clips retargeted to Unitree robots. The frame rate is
 *  in the file only if its first line is a comment `# fps: 60`, as in edited clips. */
export const JOINTS_CSV: ClipFormat<WholeFile> = {
  id: 'joints-csv',
  title: 'CSV of root and joints',
  sniff: () => true,
  async facts(file) {
    const { frames, columns, jointNames, notFinite } = await csvFacts(file.path);
    const name = path.basename(file.path);
    const where = `${name}: line ${notFinite} holds nan or inf, not a finite number; repair or remove it`;
    const fps = readRateLine(file.head());
    return {
      frames,
      columns,
      fps,
      jointNames,
      notFinite: notFinite === undefined ? null : where,
      assumed: [...ASSUMED, ...rateOf(fps)],
    };
  },
  read(file) {
    const bytes = file.bytes();
    const fps = readRateLine(bytes);
    return { ...parseClipCsv(bytes), fps, assumed: [...ASSUMED, ...rateOf(fps)] };
  },
};

function rateOf(fps: number | null): readonly Assumption[] {
  return fps === null ? [] : [{ what: 'fps', value: fps, from: 'file' }];
}
