import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { commandOf, type Instruction, pairsOf, readAllowList, type Stage, wordsOf } from './dockerfile.ts';
import { chown, makeRoot, NODE_USER, startInJail } from './jail.ts';

/** The result of a Dockerfile's last stage: a root folder, and how to start its program. */
export interface Image {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: number;
  readonly cwd: string;
  readonly command: readonly string[];
  readonly health: readonly string[];
  readonly stopSignal: string;
  readonly ports: readonly number[];
  readonly volumes: readonly string[];
}

export interface BuildOptions {
  readonly stages: readonly Stage[];
  /** the repository */
  readonly context: string;
  /** an empty folder */
  readonly folder: string;
  /** additional environment of RUN, for access to the registry */
  readonly env: Readonly<Record<string, string>>;
  /** path in the jail of RUN → file of this machine, for access to the registry */
  readonly mounts: Readonly<Record<string, string>>;
  /** Receives lines of progress. */
  readonly report: (line: string) => void;
}

/** State of a stage while its instructions run. */
interface Building {
  readonly root: string;
  readonly env: Record<string, string>;
  cwd: string;
  user: string;
}

/** Executes a Dockerfile: COPY by copying, RUN in a jail as the current USER. Folders of this machine replace the
 *  images of FROM. @throws when a command fails, with its output */
export async function buildImage(options: BuildOptions): Promise<Image> {
  const roots = new Map<string, string>();
  let image: Image | null = null;
  for (const [index, stage] of options.stages.entries()) {
    const root = path.join(options.folder, `stage-${index}`);
    makeRoot(root);
    if (stage.name !== null) roots.set(stage.name, root);
    const building: Building = { root, env: {}, cwd: '/', user: 'root' };
    for (const instruction of stage.instructions) await follow(instruction, building, roots, options);
    if (index === options.stages.length - 1) image = imageOf(stage, building);
  }
  if (!image) throw new Error('the Dockerfile has no stage');
  return image;
}

async function follow(
  instruction: Instruction,
  building: Building,
  roots: ReadonlyMap<string, string>,
  options: BuildOptions,
): Promise<void> {
  switch (instruction.name) {
    case 'USER':
      building.user = String(instruction.value);
      break;
    case 'WORKDIR':
      building.cwd = path.posix.resolve(building.cwd, String(instruction.value));
      mkdirSync(path.join(building.root, building.cwd), { recursive: true });
      break;
    case 'ENV':
      Object.assign(building.env, Object.fromEntries(pairsOf(instruction)));
      break;
    case 'COPY':
      copy(instruction, building, roots, options.context);
      break;
    case 'RUN':
      await run(instruction, building, options);
      break;
    case 'VOLUME':
    case 'EXPOSE':
    case 'STOPSIGNAL':
    case 'HEALTHCHECK':
    case 'ENTRYPOINT':
      break; // has no effect on the build
    default:
      throw new Error(`${instruction.name} is not known here: add it to the test`);
  }
}

function copy(instruction: Instruction, building: Building, roots: ReadonlyMap<string, string>, context: string): void {
  const { from, chown: owner } = instruction.flags;
  const words = [...wordsOf(instruction)];
  const place = words.pop()!;
  const source = from === undefined ? context : roots.get(from);
  if (source === undefined) throw new Error(`COPY --from=${from}: there is no such stage`);
  const target = path.join(building.root, path.posix.resolve(building.cwd, place));
  const intoFolder = place.endsWith('/') || place === '.' || words.length > 1;
  const allowed = from === undefined ? readAllowList(path.join(context, '.dockerignore')) : null;
  const names = words.length === 1 && words[0] === '.' && allowed ? allowed : words;
  for (const name of names) {
    if (allowed && !allowed.includes(name)) throw new Error(`COPY ${name}: .dockerignore keeps it outside`);
    const to = intoFolder ? path.join(target, path.basename(name)) : target;
    cpSync(path.join(source, name), to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    giveTo(to, owner);
  }
}

function giveTo(file: string, owner: string | undefined): void {
  if (owner !== undefined && owner !== 'node:node') throw new Error(`--chown=${owner} is not known here`);
  chown(file, owner === undefined ? 0 : NODE_USER);
}

async function run(instruction: Instruction, building: Building, { env, mounts, report }: BuildOptions): Promise<void> {
  if (typeof instruction.value !== 'string') throw new Error('RUN: only the shell form is known here');
  const { root, cwd, user } = building;
  const start = performance.now();
  const home = user === 'node' ? '/home/node' : '/root';
  const variables = { HOME: home, ...env, ...building.env };
  const jail = startInJail({ root, cwd, user: userId(user), env: variables, mounts }, [
    '/bin/sh',
    '-c',
    instruction.value,
  ]);
  let output = '';
  for (const stream of [jail.stdout!, jail.stderr!]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const [code] = (await once(jail, 'close')) as [number | null];
  if (code !== 0) throw new Error(`RUN ${instruction.value} ended with ${code}:\n${output.slice(-4000)}`);
  report(`RUN ${instruction.value}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

function imageOf(stage: Stage, { root, env, cwd, user }: Building): Image {
  const one = (name: string) => stage.instructions.find((instruction) => instruction.name === name);
  const words = (name: string) =>
    stage.instructions.filter((instruction) => instruction.name === name).flatMap((found) => [...wordsOf(found)]);
  return {
    root,
    env,
    cwd,
    user: userId(user),
    command: commandOf(one('ENTRYPOINT')),
    health: commandOf(one('HEALTHCHECK')),
    stopSignal: words('STOPSIGNAL')[0] ?? 'SIGTERM',
    ports: words('EXPOSE').map(Number),
    volumes: words('VOLUME'),
  };
}

function userId(user: string): number {
  if (user === 'root') return 0;
  if (user === 'node') return NODE_USER;
  throw new Error(`USER ${user} is not known here`);
}

/** Removes the files of a build; they belong to several users. */
export function removeImage(folder: string): void {
  if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
}
