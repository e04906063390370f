import path from 'node:path';
import type { Assumption } from '../../protocol/schemas/reading.ts';
import { type ClipFormat, turnQuaternions } from '../clip-format.ts';
import { csvFacts } from '../csv/csv-facts.ts';
import type { CsvLayout } from '../csv/csv-header.ts';
import { headLayout } from '../csv/csv-lines.ts';
import { quaternionOrder } from '../csv/quaternion-order.ts';
import { readRateLine } from '../csv/rate-line.ts';
import { readTimeRate } from '../csv/time-rate.ts';
import { parseClipCsv } from '../csv.ts';
import type { WholeFile } from '../whole-file.ts';

const METRES: Assumption = { what: 'units', value: 'm', from: 'format' };
/** Frame rate of the BONES-SEED dataset, Hz. Its files do not state the rate. */
const SEED_FPS = 120;
const SEED: readonly Assumption[] = [
  { what: 'units', value: 'cm', from: 'format' },
  { what: 'quaternion', value: 'euler_xyz', from: 'format' },
];

/** CSV of the BONES-SEED dataset: a header, a frame number, the root's position in cm, Euler angles and joints in
 *  degrees. Joint columns are named `<joint>_dof`. A resampled file may state its rate, as other CSV files do. */
export const SEED_CSV: ClipFormat<WholeFile> = {
  id: 'seed-csv',
  title: 'BONES-SEED CSV',
  sniff: (file) => headLayout(file.head())?.kind === 'seed',
  async facts(file) {
    const { namesRoot: _, ...facts } = await factsOf(file);
    return { ...facts, ...seedRate(file, facts.layout) };
  },
  read(file) {
    const { namesRoot: _, ...clip } = parseClipCsv(file.bytes());
    return { ...clip, ...seedRate(file, clip.layout) };
  },
};

/** CSV with rows `x,y,z,qx,qy,qz,qw,joint…`, the layout of the LAFAN clips retargeted to Unitree robots. A header
 *  may name these columns in another order. A file states its frame rate by a comment above the rows (`# fps: 60`) or
 *  by a column of times. Motion generators write the same rows with the quaternion w x y z, which is detected if the
 *  numbers are unambiguous and no header names the root's columns. */
export const JOINTS_CSV: ClipFormat<WholeFile> = {
  id: 'joints-csv',
  title: 'CSV of root and joints',
  sniff: () => true,
  async facts(file) {
    const { layout, namesRoot, ...facts } = await factsOf(file);
    return { ...facts, ...statedBy(file, layout, namesRoot) };
  },
  read(file) {
    const { namesRoot, ...clip } = parseClipCsv(file.bytes());
    const stated = statedBy(file, clip.layout, namesRoot);
    const isTurned = clip.layout === null && stated.assumed[0]!.value === 'wxyz';
    if (isTurned) turnQuaternions(clip.rows, clip.columns, 'wxyz');
    return { ...clip, ...stated };
  },
};

async function factsOf(file: WholeFile) {
  const { notFinite, ...facts } = await csvFacts(file.path);
  const name = path.basename(file.path);
  const where = `${name}: line ${notFinite} contains nan or inf instead of a finite number. Repair or remove the line.`;
  return { ...facts, fps: null, notFinite: notFinite === undefined ? null : where };
}

/** Returns the frame rate of a file, and what was assumed while reading it: quaternion, units, rate. */
function statedBy(
  file: WholeFile,
  layout: CsvLayout | null,
  namesRoot: boolean,
): { fps: number | null; assumed: readonly Assumption[] } {
  const line = readRateLine(file.head());
  const fps = line?.fps ?? timeRate(file, layout);
  const rate: readonly Assumption[] = fps === null ? [] : [{ what: 'fps', value: fps, from: 'file' }];
  const units: Assumption =
    layout === null || layout.units === 'm' ? METRES : { what: 'units', value: layout.units, from: 'file' };
  return { fps, assumed: [quaternionIn(file, layout, namesRoot, line?.own === true), units, ...rate] };
}

function seedRate(file: WholeFile, layout: CsvLayout | null): { fps: number; assumed: readonly Assumption[] } {
  const stated = readRateLine(file.head())?.fps ?? timeRate(file, layout);
  const fps = stated ?? SEED_FPS;
  return { fps, assumed: [{ what: 'fps', value: fps, from: stated === null ? 'format' : 'file' }, ...SEED] };
}

/** Returns the frame rate that a column of times states, Hz; null without one. */
function timeRate(file: WholeFile, layout: CsvLayout | null): number | null {
  const timeAt = layout?.timeAt ?? null;
  return timeAt === null ? null : readTimeRate(file.head(), timeAt);
}

/** @param own whether this service wrote the file, so that its quaternion order is known */
function quaternionIn(file: WholeFile, layout: CsvLayout | null, namesRoot: boolean, own: boolean): Assumption {
  if (layout) return { what: 'quaternion', value: layout.rotation, from: 'file' };
  if (namesRoot) return { what: 'quaternion', value: 'xyzw', from: 'file' };
  const order = own ? 'xyzw' : quaternionOrder(file.head());
  return { what: 'quaternion', value: order, from: order === 'wxyz' ? 'guess' : 'format' };
}
