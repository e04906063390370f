import { type Static, Type } from 'typebox';
import { count, optional, type ProblemAt, refuseNames, settingsSection } from '../../core/settings.ts';
import { strictBody } from '../../protocol/route.ts';

/** Placeholders in a trainer's `command`, which are filled in at a launch. */
const COMMAND_PLACEHOLDERS = [
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
/** Placeholders in a trainer's `resume` arguments. */
const RESUME_PLACEHOLDERS = ['run', 'run_folder', 'checkpoint', 'checkpoint_path'] as const;

const Trainer = strictBody({
  command: Type.Array(Type.String(), { minItems: 1, description: 'program and arguments; not run through a shell' }),
  resume: optional(Type.Array(Type.String(), { description: 'text that replaces {resume} when a run is resumed' })),
  // the limit of a launch
  num_envs: count(65_536),
  max_iterations: count(10_000_000),
  cwd: optional(Type.String({ minLength: 1, description: 'working folder, relative to the workspace' })),
  env: optional(Type.Record(Type.String(), Type.String())),
  logs: optional(Type.String({ minLength: 1, description: 'folder of its runs, relative to cwd' })),
});
export type TrainerSettings = Static<typeof Trainer>;

/** The section `trainers`: other trainers besides the built-in one, by name. */
export const TRAINERS_SETTINGS = settingsSection({
  schema: Type.Record(Type.String(), Trainer),
  read: (given): Readonly<Record<string, TrainerSettings>> => given ?? {},
  refine(given, problemAt) {
    refuseNames(Object.keys(given), 'builtin', problemAt);
    for (const [name, { command, resume = [] }] of Object.entries(given)) {
      refusePlaceholders([name, 'command'], command, COMMAND_PLACEHOLDERS, problemAt);
      refusePlaceholders([name, 'resume'], resume, RESUME_PLACEHOLDERS, problemAt);
    }
  },
});

/** Refuses unknown placeholders, because a misspelt one would be passed to the trainer unchanged. */
function refusePlaceholders(
  place: readonly string[],
  words: readonly string[],
  known: readonly string[],
  problemAt: ProblemAt,
): void {
  for (const [index, word] of words.entries()) {
    const name = [...word.matchAll(/\{([a-z_]+)\}/g)].map((match) => match[1]!).find((one) => !known.includes(one));
    if (name !== undefined)
      throw problemAt(
        [...place, String(index)],
        `unknown placeholder {${name}}; available: ${known.map((one) => `{${one}}`).join(' ')}`,
      );
  }
}
