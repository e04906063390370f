import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import type { LaunchOrder } from '../detached/launcher.ts';
import { fillCommand } from './command-template.ts';
import type { TrainerSettings } from './trainer-settings.ts';

/** Arguments with which rsl_rl resumes a run. It interprets names as regular expressions. */
const RSL_RL_RESUME = [
  '--agent.resume',
  'True',
  '--agent.load-run',
  '{run}$',
  '--agent.load-checkpoint',
  '{checkpoint}$',
];
/** Without this variable, Python buffers kilobytes of output to a file: progress would be late, and the last lines
 *  could be lost. */
const ENVIRONMENT = { PYTHONUNBUFFERED: '1' };
/** Default number of environments, as in the tasks of the original project. */
const NUM_ENVS = 4096;
const MAX_ITERATIONS = 30_000;

/** Values of the placeholders of a trainer's command. */
export interface TrainingWords {
  readonly task: string;
  readonly robot: string;
  readonly dataset: string;
  readonly datasetFolder: string;
  /** folder of the dataset's converted clips */
  readonly npzFolder: string;
  /** the only converted clip of the dataset; null if there are several */
  readonly motionFile: string | null;
  readonly numEnvs: number;
  readonly maxIterations: number;
  readonly runName: string;
  readonly seed: number;
  readonly logger: string;
  readonly resume: {
    readonly run: string;
    readonly runFolder: string;
    readonly checkpoint: string;
  } | null;
  readonly extra: readonly string[];
}

/** A trainer that `studio.yaml` defines: another program, such as a script of rsl_rl. */
export class ExternalTrainer {
  readonly name: string;
  readonly numEnvs: number;
  readonly maxIterations: number;
  /** folder of the trainer's runs, absolute */
  readonly logs: string;
  readonly #settings: TrainerSettings;
  readonly #cwd: string;

  /** @param workspace base of a relative `cwd` */
  constructor(name: string, settings: TrainerSettings, workspace: string) {
    this.name = name;
    this.#settings = settings;
    this.#cwd = path.resolve(workspace, settings.cwd ?? '.');
    this.logs = path.resolve(this.#cwd, settings.logs ?? 'logs/rsl_rl');
    this.numEnvs = settings.num_envs ?? NUM_ENVS;
    this.maxIterations = settings.max_iterations ?? MAX_ITERATIONS;
  }

  /** Returns true if the command contains the placeholder. */
  takes(placeholder: string): boolean {
    return this.#settings.command.some((word) => word.includes(`{${placeholder}}`));
  }

  /** Makes the order of a training. @throws bad_input for arguments that cannot be passed to a program */
  order(words: TrainingWords): LaunchOrder {
    const { resume } = words;
    const { command, resume: resumeTemplate = RSL_RL_RESUME, env = {} } = this.#settings;
    const values = {
      task: words.task,
      robot: words.robot,
      dataset: words.dataset,
      dataset_folder: words.datasetFolder,
      npz_folder: words.npzFolder,
      motion_file: words.motionFile ?? [],
      num_envs: String(words.numEnvs),
      max_iterations: String(words.maxIterations),
      run_name: words.runName,
      seed: String(words.seed),
      logger: words.logger,
      extra: words.extra,
      resume: resume
        ? fillCommand(resumeTemplate, {
            run: resume.run,
            run_folder: resume.runFolder,
            checkpoint: resume.checkpoint,
            checkpoint_path: path.join(resume.runFolder, resume.checkpoint),
          })
        : [],
    };
    return { command: fillCommand(command, values), cwd: this.#cwd, env: { ...ENVIRONMENT, ...env } };
  }

  /** Returns why the trainer cannot be started on this machine, or null.
   *  @param searchPath folders of programs, as in `PATH` */
  async problem(searchPath: string): Promise<string | null> {
    const isFolder = await stat(this.#cwd).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isFolder) return `its folder ${this.#cwd} does not exist: set trainers.${this.name}.cwd in studio.yaml`;
    const program = this.#settings.command[0]!;
    const own = this.#settings.env?.['PATH'];
    const places = program.includes('/')
      ? [path.resolve(this.#cwd, program)]
      : (own ?? searchPath).split(path.delimiter).map((folder) => path.resolve(this.#cwd, folder, program));
    for (const place of places) if (await isExecutable(place)) return null;
    return `the program ${JSON.stringify(program)} is not installed on this machine`;
  }
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
