import path from 'node:path';
import type { Assumption } from '../../protocol/schemas/reading.ts';
import { type ClipFileFacts, type ClipFormat, turnQuaternions } from '../clip-format.ts';
import { csvFacts } from '../csv/csv-facts.ts';
import type { CsvLayout } from '../csv/csv-header.ts';
import { headLayout } from '../csv/csv-lines.ts';
import { quaternionOrder } from '../csv/quaternion-order.ts';
import { readRateLine } from '../csv/rate-line.ts';
import { parseClipCsv } from '../csv.ts';
import type { WholeFile } from '../whole-file.ts';

const METRES: Assumption = { what: 'units', value: 'm', from: 'format' };
/** Frame rate of the BONES-SEED dataset, Hz. Its files do not state the rate. */
const SEED_FPS = 120;
const SEED: readonly Assumption[] = [
  { what: 'fps', value: SEED_FPS, from: 'format' },
  { what: 'units', value: 'cm', from: 'format' },
  { what: 'quaternion', value: 'euler_xyz', from: 'format' },
];

/** CSV of the BONES-SEED dataset: a header, a frame number, the root's position in cm, Euler angles and joints in
 *  degrees. Joint columns are named `<joint>_dof`. */
export const SEED_CSV: ClipFormat<WholeFile> = {
  id: 'seed-csv',
  title: 'BONES-SEED CSV',
  sniff: (file) => headLayout(file.head())?.kind === 'seed',
  facts: async (file) => ({ ...(await factsOf(file)), fps: SEED_FPS, assumed: SEED }),
  read: (file) => ({ ...parseClipCsv(file.bytes()), fps: SEED_FPS, assumed: SEED }),
};

/** CSV with rows `x,y,z,qx,qy,qz,qw,joint…`, the layout of the LAFAN clips retargeted to Unitree robots. A header
 *  may name these columns in another order. A file states its frame rate only if its first line is a comment `# fps:
 *  60`, as in edited clips. Motion generators write the same rows with the quaternion w x y z, which is detected if
 *  the numbers are unambiguous. */
export const JOINTS_CSV: ClipFormat<WholeFile> = {
  id: 'joints-csv',
  title: 'CSV of root and joints',
  sniff: () => true,
  async facts(file) {
    const { layout, ...facts } = await factsOf(file);
    const fps = readRateLine(file.head());
    return { ...facts, fps, assumed: assumedWith(layout, fps, file) };
  },
  read(file) {
    const clip = parseClipCsv(file.bytes());
    const fps = readRateLine(file.bytes());
    const assumed = assumedWith(clip.layout, fps, file);
    const isTurned = clip.layout === null && assumed[0]!.value === 'wxyz';
    if (isTurned) turnQuaternions(clip.rows, clip.columns, 'wxyz');
    return { ...clip, fps, assumed };
  },
};

async function factsOf(file: WholeFile): Promise<Omit<ClipFileFacts, 'assumed'> & { layout: CsvLayout | null }> {
  const { frames, columns, jointNames, layout, notFinite } = await csvFacts(file.path);
  const name = path.basename(file.path);
  const where = `${name}: line ${notFinite} contains nan or inf instead of a finite number. Repair or remove the line.`;
  return { frames, columns, fps: null, jointNames, layout, notFinite: notFinite === undefined ? null : where };
}

function assumedWith(layout: CsvLayout | null, fps: number | null, file: WholeFile): readonly Assumption[] {
  return [
    quaternionIn(layout, fps, file),
    METRES,
    ...(fps === null ? [] : [{ what: 'fps', value: fps, from: 'file' } as const]),
  ];
}

function quaternionIn(layout: CsvLayout | null, fps: number | null, file: WholeFile): Assumption {
  if (layout) return { what: 'quaternion', value: layout.rotation, from: 'file' };
  // If the file states its rate, this service wrote it, so its quaternion order is known.
  const order = fps === null ? quaternionOrder(file.head()) : 'xyzw';
  return { what: 'quaternion', value: order, from: order === 'wxyz' ? 'guess' : 'format' };
}
