import { closeSync, constants, fdatasyncSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { fileError } from '../core/files/atomic-file.ts';
import { makeFoldersSync } from '../core/files/make-folders.ts';
import { fromEulerXyz } from '../core/math/quaternion.ts';
import { npyParts } from '../formats/npy.ts';
import { ZipFile } from '../formats/zip-file.ts';
import type { PlayColumns } from '../plots/play-channels.ts';
import { BodyPoses } from '../sim/body-poses.ts';
import { loadMujoco } from '../sim/mujoco.ts';
import { FACTS_ENTRY, type NpzFacts } from './read/npz-reader.ts';
import type { Caption } from './recorded.ts';
import { partPath, recordingPath } from './recording-files.ts';

const POSE = 7;

/** The last rows of an environment whose physics exploded (its state is not finite). Plain data, sent to the thread
 *  that writes the file. */
export interface ExplodedOrder {
  readonly folder: string;
  readonly name: string;
  readonly robot: string;
  /** compiled model (MJB) */
  readonly physicsPath: string;
  readonly bodies: readonly string[];
  readonly created: string;
  readonly stepS: number;
  /** description of the event, for users */
  readonly text: readonly string[];
  readonly columns: PlayColumns;
  readonly joints: number;
  /** ids of the channels, one per column */
  readonly channels: readonly string[];
  /** (rows, columns.count) */
  readonly data: Float32Array;
}

/** Writes a recording from the rows: poses by forward kinematics, and `data` with all channels. */
export async function writeExploded(order: ExplodedOrder): Promise<void> {
  const { folder, name, columns, data, stepS, channels } = order;
  const rows = data.length / columns.count;
  const poses = await posesOf(order, rows);
  const times = Float64Array.from({ length: rows }, (_, k) => k * stepS);
  const facts: NpzFacts & { version: 1 } = {
    version: 1,
    robot: order.robot,
    owner: 'play',
    created: order.created,
    duration: rows * stepS,
    state: 'done',
    reason: null,
    bodies: [...order.bodies],
  };
  const temp = `${partPath(folder, name)}.studio-tmp`;
  try {
    makeFoldersSync(folder, 1); // the folder may have been deleted while the service runs
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    const fd = openSync(temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
    try {
      const zip = new ZipFile(fd);
      const put = (entry: string, array: Parameters<typeof npyParts>[0]) =>
        zip.add(`${entry}.npy`, (write) => npyParts(array).forEach(write));
      zip.add(FACTS_ENTRY, (write) => write(Buffer.from(JSON.stringify(facts))));
      put('bodies', { dtype: 'U', data: order.bodies, shape: [order.bodies.length] });
      put('wall', { dtype: 'f8', data: times, shape: [rows] });
      put('time', { dtype: 'f8', data: times, shape: [rows] });
      zip.add('scene.jsonl', (write) => write(Buffer.from(captions(order, times))));
      put('poses', { dtype: 'f4', data: poses, shape: [rows, 1, order.bodies.length, POSE] });
      put('data', { dtype: 'f4', data, shape: [rows, columns.count] });
      put('channels', { dtype: 'U', data: channels, shape: [channels.length] });
      zip.end();
      fdatasyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temp, recordingPath(folder, name, 'npz'));
  } catch (error) {
    rmSync(temp, { force: true });
    throw fileError(error);
  }
}

async function posesOf({ physicsPath, bodies, columns, joints, data }: ExplodedOrder, rows: number) {
  const mj = await loadMujoco();
  mj.FS.writeFile('/exploded-robot.mjb', readFileSync(physicsPath));
  const noFiles = new mj.MjVFS();
  const model = mj.MjModel.from_binary_path('/exploded-robot.mjb', noFiles);
  noFiles.delete();
  const kinematics = new BodyPoses(mj, model);
  try {
    const out = new Float32Array(rows * bodies.length * POSE);
    const quaternion = [1, 0, 0, 0];
    for (let row = 0; row < rows; row += 1) {
      const at = row * columns.count;
      const { qpos } = kinematics;
      for (let axis = 0; axis < 3; axis += 1) qpos[axis] = data[at + columns.pos + axis]!;
      fromEulerXyz(quaternion, data[at + columns.rpy]!, data[at + columns.rpy + 1]!, data[at + columns.rpy + 2]!);
      for (let k = 0; k < 4; k += 1) qpos[3 + k] = quaternion[k]!;
      for (let k = 0; k < joints; k += 1) qpos[7 + k] = data[at + columns.joint + k]!;
      kinematics.compute();
      kinematics.writePoses(out, row * bodies.length * POSE);
    }
    return out;
  } finally {
    kinematics.delete();
  }
}

function captions({ text }: ExplodedOrder, times: Float64Array): string {
  const lines = Array.from(times, (time) => {
    const caption: Caption = { time, owner: 'play', n: 1, focus: 0, ghosts: 0, hud: { text }, overlays: [] };
    return `${JSON.stringify(caption)}\n`;
  });
  return lines.join('');
}
