import path from 'node:path';
import { messageOf } from '../core/errors.ts';
import type { EventPayloads } from '../protocol/events.ts';
import type { RobotFacts } from '../robots/robot-facts.ts';
import { type ConfigEntry, ConfigFiles } from './config-files.ts';
import { KnobError } from './knobs/merge-overrides.ts';
import {
  formatModule,
  formatPreset,
  readModule,
  readPreset,
  type StoredModule,
  type StoredPreset,
} from './preset-file.ts';
import { checkModule, resolvePreset, type TaskSources, taskNameOf } from './resolve-task.ts';
import { taskEffect } from './task-effect.ts';
import { vocabularyOf } from './vocabulary-of.ts';

/** Errors by name; null for presets and modules without an error. */
export interface TaskErrors {
  readonly presets: ReadonlyMap<string, string | null>;
  readonly modules: ReadonlyMap<string, string | null>;
}

/** Presets and modules of one robot, in `<workspace>/config/<robot>`. */
export class TaskStore {
  readonly folder: string;
  readonly presets: ConfigFiles<StoredPreset>;
  readonly modules: ConfigFiles<StoredModule>;
  #errors: { readonly facts: RobotFacts; readonly from: readonly unknown[]; readonly errors: TaskErrors } | null = null;

  constructor(folder: string, onForeignChange: (change: EventPayloads['presets']) => void) {
    this.folder = folder;
    this.presets = new ConfigFiles({
      folder: path.join(folder, 'presets'),
      kind: 'preset',
      read: readPreset,
      format: formatPreset,
      onForeignChange: (name, reason) => onForeignChange({ kind: 'preset', name, reason }),
    });
    this.modules = new ConfigFiles({
      folder: path.join(folder, 'modules'),
      kind: 'module',
      read: readModule,
      format: formatModule,
      onForeignChange: (name, reason) => onForeignChange({ kind: 'module', name, reason }),
    });
  }

  async refresh(): Promise<void> {
    await Promise.all([this.presets.refresh(), this.modules.refresh()]);
  }

  sources(facts: RobotFacts): TaskSources {
    return { vocabulary: vocabularyOf(facts), presets: this.presets.values, modules: this.modules.values };
  }

  /** Returns why presets and modules cannot be used; null for usable ones. Computed again when a file or the robot
   *  changes. */
  errors(facts: RobotFacts): TaskErrors {
    const { presets, modules } = { presets: this.presets.entries, modules: this.modules.entries };
    const found = this.#errors;
    if (found && found.facts === facts && found.from[0] === presets && found.from[1] === modules) return found.errors;
    const sources = this.sources(facts);
    const errors: TaskErrors = {
      presets: new Map([...presets.values()].map((entry) => [entry.name, presetError(entry, sources, facts)])),
      modules: new Map([...modules.values()].map((entry) => [entry.name, moduleError(entry, sources)])),
    };
    this.#errors = { facts, from: [presets, modules], errors };
    return errors;
  }

  /** Returns the usable presets. */
  usable(facts: RobotFacts): StoredPreset[] {
    const { presets } = this.errors(facts);
    return [...this.presets.values.values()].filter(({ name }) => presets.get(name) === null);
  }

  /** Returns the names of usable tasks: base tasks first, then presets. */
  taskNames(facts: RobotFacts): string[] {
    return [...vocabularyOf(facts).bases.map(({ name }) => name), ...this.usable(facts).map(taskNameOf)];
  }
}

function presetError(
  { value, error, yaml }: ConfigEntry<StoredPreset>,
  sources: TaskSources,
  facts: RobotFacts,
): string | null {
  if (!value) return error;
  return problemOf(yaml, () => taskEffect(resolvePreset(value, sources).config, facts, sources.vocabulary.library));
}

function moduleError({ value, error, yaml }: ConfigEntry<StoredModule>, sources: TaskSources): string | null {
  if (!value) return error;
  return problemOf(yaml, () => checkModule(value, sources));
}

function problemOf(yaml: ConfigEntry<unknown>['yaml'], resolve: () => unknown): string | null {
  try {
    resolve();
    return null;
  } catch (error) {
    if (error instanceof KnobError && yaml) return yaml.problemAt(['overrides', ...error.path], error.problem).message;
    return messageOf(error);
  }
}
