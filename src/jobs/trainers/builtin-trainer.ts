import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import { ownCommand } from '../own-command.ts';

export const BUILTIN = 'builtin';
/** Maximum number of threads. */
const MAX_THREADS = 1024;
/** Maximum number of iterations between two checkpoints. */
const MAX_INTERVAL = 1e9;

const PROFILES = ['builtin', 'robust', 'task'] as const;
type Profile = (typeof PROFILES)[number];

/** Options of the built-in trainer, from `extra`. */
export interface BuiltinOptions {
  /** `--profile=…`: profile with which the trainer adapts the task */
  readonly profile: Profile;
  /** `--threads=N`; 0: derived from the number of cores */
  readonly threads: number;
  /** `--save-interval=N` iterations; null: the value of the task */
  readonly saveInterval: number | null;
}

/** Description of the options for users. */
export const BUILTIN_EXTRA = `--profile=${PROFILES.join('|')}, --threads=N, --save-interval=N`;

/** Parses `extra`. A flag and its value may be one text (`--threads=2`) or two. @throws bad_input for anything else */
export function builtinOptions(extra: readonly string[]): BuiltinOptions {
  const options: { -readonly [K in keyof BuiltinOptions]: BuiltinOptions[K] } = {
    profile: 'builtin',
    threads: 0,
    saveInterval: null,
  };
  for (let k = 0; k < extra.length; k += 1) {
    const word = extra[k]!;
    const [, flag = word, after] = /^(--[a-z-]+)(?:=(.*))?$/s.exec(word) ?? [];
    const value = after ?? extra[++k];
    switch (flag) {
      case '--profile':
        options.profile = profileOf(value);
        break;
      case '--threads':
        options.threads = wholeNumber(flag, value, MAX_THREADS);
        break;
      case '--save-interval':
        options.saveInterval = wholeNumber(flag, value, MAX_INTERVAL);
        break;
      default:
        throw badInput(`extra: unknown option ${quoteName(word)} of the built-in trainer. Options: ${BUILTIN_EXTRA}`);
    }
  }
  return options;
}

function profileOf(value: string | undefined): Profile {
  const profile = PROFILES.find((name) => name === value);
  if (profile === undefined) throw badInput(`extra: --profile must be one of ${PROFILES.join(', ')}`);
  return profile;
}

function wholeNumber(flag: string, value: string | undefined, most: number): number {
  const number = /^\d{1,15}$/.test(value ?? '') ? Number(value) : 0;
  if (number < 1 || number > most) throw badInput(`extra: ${flag} must be an integer from 1 to ${most}`);
  return number;
}

/** Returns the command of a training. @param orderFile absolute path of the order file */
export function builtinCommand(orderFile: string): string[] {
  return ownCommand('train', orderFile);
}
