import path from 'node:path';
import { messageOf } from '../../core/errors.ts';
import { KnobError } from '../../presets/knobs/merge-overrides.ts';
import {
  formatModule,
  formatPreset,
  readModule,
  readPreset,
  type StoredModule,
  type StoredPreset,
} from '../../presets/preset-file.ts';
import { checkModule, resolvePreset, type TaskSources, taskNameOf } from '../../presets/resolve-task.ts';
import { vocabularyOf } from '../../presets/vocabulary-of.ts';
import type { EventPayloads } from '../../protocol/events.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import { type ConfigEntry, ConfigFiles } from './config-files.ts';

/** Presets and modules of one robot, in `<workspace>/config/<robot>`. */
export class TaskStore {
  readonly folder: string;
  readonly presets: ConfigFiles<StoredPreset>;
  readonly modules: ConfigFiles<StoredModule>;

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

  /** Names of tasks that can be used: base tasks, then presets. */
  taskNames(facts: RobotFacts): string[] {
    const sources = this.sources(facts);
    const presets = [...this.presets.entries.values()].filter((entry) => presetError(entry, sources) === null);
    return [
      ...sources.vocabulary.bases.map(({ name }) => name),
      ...presets.flatMap(({ value }) => (value ? [taskNameOf(value)] : [])),
    ];
  }
}

/** Why a preset cannot be used; null for one that can. */
export function presetError({ value, error, yaml }: ConfigEntry<StoredPreset>, sources: TaskSources): string | null {
  if (!value) return error;
  return problemOf(yaml, () => resolvePreset(value, sources));
}

/** Why a module cannot be used with any base task; null for one that can. */
export function moduleError({ value, error, yaml }: ConfigEntry<StoredModule>, sources: TaskSources): string | null {
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
