import type { CliCommand } from './command.ts';

interface CommandRow {
  readonly summary: string;
  readonly load: () => Promise<CliCommand>;
}

/** Commands that need a running service. Their code is loaded on use, to keep the start of a service fast. */
export const COMMANDS: Readonly<Record<string, CommandRow>> = {
  robots: {
    summary: 'list the robots, or select one',
    load: async () => (await import('./robots.ts')).ROBOTS_COMMAND,
  },
  import: {
    summary: 'import a folder of clips as a dataset',
    load: async () => (await import('./import.ts')).IMPORT_COMMAND,
  },
  convert: {
    summary: 'convert the clips of a dataset',
    load: async () => (await import('./convert.ts')).CONVERT_COMMAND,
  },
  train: {
    summary: 'start a training',
    load: async () => (await import('./train.ts')).TRAIN_COMMAND,
  },
  jobs: {
    summary: 'list, show, follow or stop jobs',
    load: async () => (await import('./jobs.ts')).JOBS_COMMAND,
  },
  runs: {
    summary: 'list runs, or show one',
    load: async () => (await import('./runs.ts')).RUNS_COMMAND,
  },
  play: {
    summary: 'play a policy in the scene',
    load: async () => (await import('./play.ts')).PLAY_COMMAND,
  },
  record: {
    summary: 'record the scene to a file',
    load: async () => (await import('./record.ts')).RECORD_COMMAND,
  },
  evaluate: {
    summary: 'evaluate a policy, with gates for continuous integration',
    load: async () => (await import('./evaluate.ts')).EVALUATE_COMMAND,
  },
  export: {
    summary: "export a policy with a clip for a robot's controller",
    load: async () => (await import('./export.ts')).EXPORT_COMMAND,
  },
};
