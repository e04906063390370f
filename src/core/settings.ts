import { lstat } from 'node:fs/promises';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { strictBody } from '../protocol/route.ts';
import { messageOf, StudioError } from './errors.ts';
import { nameProblem } from './files/names.ts';
import { readYaml, YamlText } from './yaml-file.ts';

const optional = <S extends TSchema>(schema: S) => Type.Optional(schema);
const positive = (description: string) => optional(Type.Number({ exclusiveMinimum: 0, description }));
const frames = (description: string) => optional(Type.Integer({ minimum: 1, description }));
const threads = optional(Type.Integer({ minimum: 0, maximum: 1024, description: '0: as cores allow' }));
const section = <P extends Record<string, TSchema>>(properties: P) => optional(strictBody(properties));
const texts = Type.Record(Type.String(), Type.String());

/** Thresholds of the checks on motion clips that can be set. Their defaults: `checks/clip/thresholds.ts`. */
const Qa = strictBody({
  joint_limit: section({ margin: positive('rad beyond the range') }),
  joint_velocity: section({ limit: positive('rad/s for joints whose robot states none') }),
  joint_acceleration: section({ limit: positive('rad/s²') }),
  jump: section({
    position_warning: positive('m of root travel in 1/50 s'),
    position_error: positive('m'),
    position_break: positive('m by which a step of the root in 1/30 s differs from the steps around it'),
    rotation_warning: positive('rad of root rotation in 1/50 s'),
    rotation_error: positive('rad'),
    rotation_break: positive('rad by which a turn of the root in 1/30 s differs from the turns around it'),
    joint_warning: positive('rad of a joint in 1/50 s'),
    joint_error: positive('rad'),
    joint_break: positive('rad by which a step of a joint in 1/30 s differs from the steps around it'),
  }),
  ground_penetration: section({
    warning: positive('m below the floor'),
    error: positive('m, of a foot; other bodies: twice as much'),
    frames: frames('in a row, at 50 frames a second'),
  }),
  floating: section({
    height: positive('m between the floor and the lowest point'),
    seconds: positive('s in a row without falling'),
  }),
  foot_sliding: section({
    height: positive('m: a point of a sole below it is in contact'),
    speed: positive('m/s of the slowest point in contact'),
    frames: frames('in a row, at 50 frames a second'),
  }),
  root_tilt: section({
    angle: positive('rad between the root and upright'),
    seconds: positive('s in a row without lying or falling'),
  }),
  self_collision: section({ info: positive('m that two bodies are in each other'), warning: positive('m') }),
  frozen: section({ seconds: positive('s without any change in the midst of motion') }),
  first_frame: section({
    position: positive('m by which the first step of the root differs from the second, in 1/30 s'),
    rotation: positive('rad'),
    joint: positive('rad'),
  }),
});

/** What a trainer's command may hold in braces: filled in at a launch. */
export const COMMAND_PLACEHOLDERS = [
  'task',
  'robot',
  'dataset',
  'dataset_folder',
  'npz_folder',
  'motion_file',
  'num_envs',
  'max_iterations',
  'run_name',
  'seed',
  'logger',
  'resume',
  'extra',
] as const;
/** What its `resume` arguments may. */
export const RESUME_PLACEHOLDERS = ['run', 'run_folder', 'checkpoint', 'checkpoint_path'] as const;

const count = (most: number) => optional(Type.Integer({ minimum: 1, maximum: most }));
const Trainer = strictBody({
  command: Type.Array(Type.String(), { minItems: 1, description: 'program and arguments; never through a shell' }),
  resume: optional(Type.Array(Type.String(), { description: 'what {resume} stands for when a run is resumed' })),
  num_envs: count(1_000_000),
  max_iterations: count(10_000_000),
  cwd: optional(Type.String({ minLength: 1, description: 'folder it runs in, relative to the workspace' })),
  env: optional(texts),
  logs: optional(Type.String({ minLength: 1, description: 'folder of its runs, relative to cwd' })),
});

const Launcher = strictBody({
  kind: Type.Literal('slurm'),
  partition: optional(Type.String({ minLength: 1 })),
  gres: optional(Type.String({ minLength: 1 })),
  time: optional(Type.String({ minLength: 1 })),
  sbatch: optional(Type.Array(Type.String(), { description: 'further arguments of sbatch' })),
});

/** `studio.yaml`: every key optional. */
export const SettingsFile = strictBody({
  stream: section({
    fps: optional(Type.Number({ minimum: 1, maximum: 1000, description: 'frames a second while the scene moves' })),
    max_mbps: positive('frame bytes to one client, Mbit/s'),
  }),
  play: section({ max_envs: optional(Type.Integer({ minimum: 1, maximum: 65_536 })) }),
  sim: section({ threads }),
  pool: section({ threads }),
  limits: section({
    json_mib: positive('MiB of a JSON body'),
    upload_gib: positive('GiB of one uploaded file'),
    connections: count(1_000_000),
  }),
  jobs: section({ local_limit: optional(Type.Integer({ minimum: 1, description: 'training processes at once' })) }),
  qa: optional(Qa),
  trainers: optional(Type.Record(Type.String(), Trainer)),
  launchers: optional(Type.Record(Type.String(), Launcher)),
}) satisfies TObject;

/** Thresholds that `studio.yaml` sets, by kind of issue; the checks know the others. */
export type QaSettings = Static<typeof Qa>;
export type TrainerSettings = Static<typeof Trainer>;
export type LauncherSettings = Static<typeof Launcher>;

/** What `studio.yaml` says, defaults filled in. */
export interface Settings {
  readonly stream: { readonly fps: number; readonly maxMbps: number };
  readonly play: { readonly maxEnvs: number };
  readonly sim: { readonly threads: number };
  readonly pool: { readonly threads: number };
  readonly limits: { readonly jsonBytes: number; readonly uploadBytes: number; readonly connections: number };
  readonly jobs: { readonly localLimit: number };
  readonly qa: QaSettings;
  readonly trainers: Readonly<Record<string, TrainerSettings>>;
  readonly launchers: Readonly<Record<string, LauncherSettings>>;
}

/** Reads `studio.yaml`. @param name what messages call the file  @param required whether it must exist
 *  @throws bad_input `studio.yaml:7: stream.fps: must be …`; ENOENT as the system says */
export async function readSettings(path: string, name: string, required: boolean): Promise<Settings> {
  try {
    return settingsFrom(await readYaml(path, name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!required && (code === 'ENOENT' || (await isUnreachable(path)))) return defaultSettings();
    if (error instanceof StudioError || code === 'ENOENT') throw error;
    const why =
      code === 'EISDIR'
        ? 'is a folder. A file with settings is expected; move the folder away.'
        : code === 'EACCES'
          ? 'cannot be read: permission denied. Let the user of the service read it.'
          : `cannot be read: ${messageOf(error)}`;
    throw new StudioError('bad_input', `${name}: ${why}`, { cause: error });
  }
}

/** Whether the file's folder is the problem (a file, a circle of links, no permission): the workspace reports it better. */
async function isUnreachable(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    () => true,
  );
}

/** The settings of an empty file. */
export function defaultSettings(): Settings {
  return settingsFrom(new YamlText('', 'studio.yaml'));
}

function settingsFrom(text: YamlText): Settings {
  const file = text.check(SettingsFile);
  refuseNames(text, 'trainers', Object.keys(file.trainers ?? {}), 'builtin');
  refuseNames(text, 'launchers', Object.keys(file.launchers ?? {}), 'local');
  for (const [name, { command, resume = [] }] of Object.entries(file.trainers ?? {})) {
    refusePlaceholders(text, ['trainers', name, 'command'], command, COMMAND_PLACEHOLDERS);
    refusePlaceholders(text, ['trainers', name, 'resume'], resume, RESUME_PLACEHOLDERS);
  }
  return {
    stream: { fps: file.stream?.fps ?? 60, maxMbps: file.stream?.max_mbps ?? 400 },
    play: { maxEnvs: file.play?.max_envs ?? 4096 },
    sim: { threads: file.sim?.threads ?? 0 },
    pool: { threads: file.pool?.threads ?? 0 },
    limits: {
      jsonBytes: Math.floor((file.limits?.json_mib ?? 1) * 2 ** 20),
      uploadBytes: Math.floor((file.limits?.upload_gib ?? 4) * 2 ** 30),
      connections: file.limits?.connections ?? 4096,
    },
    jobs: { localLimit: file.jobs?.local_limit ?? 1 },
    qa: file.qa ?? {},
    trainers: file.trainers ?? {},
    launchers: file.launchers ?? {},
  };
}

/** Trainers and launchers are named in requests and in folders, and stand beside one of the service's own. */
function refuseNames(text: YamlText, group: string, names: readonly string[], own: string): void {
  for (const name of names) {
    const problem = name === own ? `is the service's own; choose another name` : nameProblem('run', name);
    if (problem !== null) throw text.problemAt([group, name], problem);
  }
}

/** A misspelt placeholder would reach the trainer as it stands. */
function refusePlaceholders(
  text: YamlText,
  place: readonly string[],
  words: readonly string[],
  known: readonly string[],
): void {
  for (const [index, word] of words.entries()) {
    const name = [...word.matchAll(/\{([a-z_]+)\}/g)].map((match) => match[1]!).find((one) => !known.includes(one));
    if (name !== undefined)
      throw text.problemAt(
        [...place, String(index)],
        `there is no placeholder {${name}}; there are ${known.map((one) => `{${one}}`).join(' ')}`,
      );
  }
}
