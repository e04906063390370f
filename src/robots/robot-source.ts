import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { badInput } from '../core/errors.ts';
import { isInside } from '../core/files/path-guard.ts';
import type { RobotSpec } from '../protocol/schemas/robots.ts';
import { MUJOCO_VERSION } from '../sim/mujoco.ts';
import { HUMANOID_ID, humanoidMjcf, humanoidSpec } from './humanoid/humanoid.ts';
import type { RobotFiles } from './prepare/model-files.ts';
import { readRobotSpec, SPEC_FILE } from './robot-spec-file.ts';

/** Source of a robot: built in; a folder with robot.yaml and model files; or model files whose spec is not saved
 *  yet. */
export type RobotSource =
  | { readonly kind: 'builtin'; readonly id: string }
  | { readonly kind: 'folder'; readonly id: string; readonly folder: string }
  | { readonly kind: 'draft'; readonly id: string; readonly folder: string; readonly spec: RobotSpec };

export const BUILTIN: RobotSource = { kind: 'builtin', id: HUMANOID_ID };

/** Change this whenever the same files compile to a different robot: it invalidates the cache. */
const RECIPE = `16 mujoco ${MUJOCO_VERSION}`;
/** Limits of a robot's folder. Larger folders are mistakes or attacks. */
export const MAX_FILES = 5000;
export const MAX_BYTES = 1 << 30;

export interface SourceContent {
  readonly spec: RobotSpec;
  readonly files: RobotFiles;
  /** hash of spec, files and recipe; names the compiled robot in the cache */
  readonly key: string;
}

/** Reads a robot's spec and files. Blocks while it reads model files, so call it in a worker thread.
 *  @throws StudioError bad_input for an invalid spec or a folder over the limits */
export async function readSource(source: RobotSource): Promise<SourceContent> {
  const { spec, files } = await read(source);
  return { spec, files, key: contentKey(spec, files) };
}

/** Hashes a robot's content together with the recipe by which it is compiled. */
export function contentKey(spec: RobotSpec, files: RobotFiles): string {
  const hash = createHash('sha256').update(RECIPE).update(JSON.stringify(spec));
  for (const name of [...files.keys()].sort()) {
    const bytes = files.get(name)!;
    hash.update(`\0${name}\0${bytes.byteLength}\0`).update(bytes);
  }
  return hash.digest('hex').slice(0, 32);
}

async function read(source: RobotSource): Promise<Omit<SourceContent, 'key'>> {
  switch (source.kind) {
    case 'builtin':
      return builtin();
    case 'folder':
      return {
        spec: await readRobotSpec(path.join(source.folder, SPEC_FILE), source.id),
        files: readModelFiles(source.folder),
      };
    case 'draft':
      return { spec: source.spec, files: readModelFiles(source.folder) };
  }
}

function builtin() {
  const spec = humanoidSpec();
  const files = new Map([[spec.model, Buffer.from(humanoidMjcf())]]);
  return { spec, files };
}

/** Lists all files of a folder except hidden ones and robot.yaml, and reads each file when its content is requested.
 * Blocks, so call it
 *  in a worker thread.
 *  @throws StudioError bad_input for a folder over the limits, or a link that leads out of it */
export function readModelFiles(folder: string): RobotFiles {
  const paths = new Map<string, string>();
  const root = realpathSync(folder);
  let bytes = 0;
  const walk = (relative: string) => {
    for (const entry of readdirSync(path.join(root, relative), { withFileTypes: true })) {
      if (entry.name.startsWith('.')) continue;
      const name = relative === '' ? entry.name : `${relative}/${entry.name}`;
      // Follow only links inside the folder: a model must not read other files of the machine.
      const real = realpathSync(path.join(root, name));
      if (!isInside(root, real)) throw badInput(`${name} is a link to a place outside the robot's folder`);
      const stat = statSync(real);
      if (stat.isDirectory()) {
        if (!entry.isSymbolicLink()) walk(name);
      } else if (stat.isFile()) {
        bytes += stat.size;
        if (paths.size >= MAX_FILES || bytes > MAX_BYTES) {
          throw badInput(`the robot's folder has more than ${MAX_FILES} files or 1 GiB. Remove files.`);
        }
        paths.set(name, real);
      }
    }
  };
  walk('');
  paths.delete(SPEC_FILE);
  return {
    size: paths.size,
    has: (name) => paths.has(name),
    get: (name) => (paths.has(name) ? readFileSync(paths.get(name)!) : undefined),
    keys: () => paths.keys(),
  };
}
