import path from 'node:path';
import { badInput, StudioError } from '../../core/errors.ts';
import { checkName, quoteName } from '../../core/files/names.ts';
import { type FolderWatch, watchFolders } from '../../core/files/watch-folders.ts';
import type { Logger } from '../../core/logger.ts';
import type { Tagged } from '../../core/tagged.ts';
import type { TaskConfig } from '../../mdp/task-config.ts';
import type { ConfigEntry, ConfigFiles } from '../../presets/config-files.ts';
import { formatModule, formatPreset, type StoredModule, type StoredPreset } from '../../presets/preset-file.ts';
import { checkModule, instead, resolvePreset, resolveTask, taskNameOf } from '../../presets/resolve-task.ts';
import { taskEffect } from '../../presets/task-effect.ts';
import { TaskStore } from '../../presets/task-store.ts';
import type { BodyOf, QueryOf, ReplyOf } from '../../protocol/route.ts';
import type {
  getModule,
  getPreset,
  getPresetSchema,
  listPresets,
  writeModule,
  writePreset,
} from '../../protocol/routes/presets.ts';
import type { Effect, Module, Preset, Task } from '../../protocol/schemas/presets.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { EventHub } from '../event-hub.ts';
import type { Trash } from '../trash/trash.ts';
import { TaskSchemas, taskSchema } from './task-schemas.ts';

/** Number of environments for which the estimated memory of a task is reported. */
const MEMORY_ENVS = 4096;

export interface PresetsDeps {
  /** `<workspace>/config` */
  readonly folder: string;
  readonly hub: EventHub;
  readonly logger: Logger;
  readonly trash: Trash;
  /** the selected robot */
  robot(): RobotFacts;
  /** Called when the tasks of the selected robot may have changed. */
  onTasks(): void;
}

/** Lists, resolves and stores tasks, presets and modules of the selected robot. */
export class Presets {
  readonly #deps: PresetsDeps;
  readonly #stores = new Map<string, TaskStore>();
  /** errors of presets and modules that were logged, by robot */
  readonly #broken = new Map<string, ReadonlyMap<string, string>>();
  readonly #schemas = new TaskSchemas();

  constructor(deps: PresetsDeps) {
    this.#deps = deps;
  }

  /** Watches the files for changes. */
  watch(onError: (error: unknown) => void): FolderWatch {
    const { folder: root } = this.#deps;
    const ignored = (entry: string) => path.basename(entry).startsWith('.');
    return watchFolders(root, { depth: 2, ignored, onError }, (folder) => {
      const [robot = ''] = path.relative(root, folder).split(path.sep);
      this.#stores.get(robot)?.refresh().catch(onError);
    });
  }

  /** Reads the files of a robot. Afterwards `tasksOf` includes its presets. */
  async load(robot: string): Promise<void> {
    await this.#store(robot).refresh();
  }

  /** Returns the names of a robot's tasks, as of the last time that its files were read. */
  tasksOf(facts: RobotFacts): string[] {
    return this.#store(facts.id).taskNames(facts);
  }

  async list(): Promise<ReplyOf<typeof listPresets>> {
    const { facts, store } = await this.#current();
    const errors = store.errors(facts);
    return {
      tasks: tasksIn(store, facts),
      presets: [...store.presets.entries.values()].map((entry) =>
        presetOf(entry, errors.presets.get(entry.name) ?? null),
      ),
      modules: [...store.modules.entries.values()].map((entry) =>
        moduleOf(entry, errors.modules.get(entry.name) ?? null),
      ),
      directory: store.folder,
    };
  }

  async tasks(): Promise<Task[]> {
    const { facts, store } = await this.#current();
    return tasksIn(store, facts);
  }

  /** Returns the configuration of a task.
   *  @throws bad_input naming `task`, and the part of its preset that is invalid */
  async resolve(task: string): Promise<TaskConfig> {
    const { facts, sources } = await this.#current();
    try {
      const { config } = resolveTask(task, sources);
      taskEffect(config, facts, sources.vocabulary.library);
      return config;
    } catch (error) {
      if (!(error instanceof StudioError) || error.code !== 'bad_input' || error.message.startsWith('task: '))
        throw error;
      throw badInput(`task: ${quoteName(task)} cannot be built: ${error.message}`);
    }
  }

  async schema({ base, modules = [] }: QueryOf<typeof getPresetSchema>): Promise<Tagged<Uint8Array>> {
    const { facts, store, sources } = await this.#current();
    return this.#schemas.get({ facts, modules: store.modules.entries }, [base, ...modules], () =>
      taskSchema(base, modules, facts, sources),
    );
  }

  async preset(name: string): Promise<ReplyOf<typeof getPreset>> {
    const { facts, store, sources } = await this.#current();
    const entry = entryOf(store.presets, name, 'preset');
    const error = store.errors(facts).presets.get(name) ?? null;
    const { value } = entry;
    const effect = value && error === null ? this.#effect(facts, resolvePreset(value, sources)) : null;
    return { ...presetOf(entry, error), yaml: entry.text, effect };
  }

  async writePreset(name: string, body: BodyOf<typeof writePreset>): Promise<ReplyOf<typeof writePreset>> {
    checkName('preset', name, 'name');
    const { base, overrides = {}, modules = [], description = '', dry_run = false } = body;
    const preset: StoredPreset = { name, base, modules, overrides, description };
    const { facts, store, sources } = await this.#current();
    const effect = this.#effect(facts, resolvePreset(preset, sources));
    let undo: string | null = null;
    if (!dry_run) {
      undo = await this.#replace('preset', facts.id, store.presets.pathOf(name), () => store.presets.write(preset));
      this.#announce('preset', name, 'written');
    }
    const yaml = formatPreset(preset);
    return { ok: true, ...preset, modules, task: taskNameOf(preset), error: null, yaml, effect, undo };
  }

  /** Deletes a preset. @returns the token that restores it */
  async removePreset(name: string): Promise<string> {
    const { store, facts } = await this.#current();
    entryOf(store.presets, name, 'preset');
    const undo = await this.#remove('preset', facts.id, name, store.presets);
    this.#announce('preset', name, 'deleted');
    return undo;
  }

  async module(name: string): Promise<ReplyOf<typeof getModule>> {
    const { facts, store } = await this.#current();
    const entry = entryOf(store.modules, name, 'module');
    return { ...moduleOf(entry, store.errors(facts).modules.get(name) ?? null), yaml: entry.text };
  }

  async writeModule(name: string, body: BodyOf<typeof writeModule>): Promise<ReplyOf<typeof writeModule>> {
    checkName('module', name, 'name');
    const { overrides = {}, description = '', dry_run = false } = body;
    const module: StoredModule = { name, overrides, description };
    const { facts, store, sources } = await this.#current();
    checkModule(module, sources);
    let undo: string | null = null;
    if (!dry_run) {
      undo = await this.#replace('module', facts.id, store.modules.pathOf(name), () => store.modules.write(module));
      this.#announce('module', name, 'written');
    }
    return { ok: true, ...module, error: null, yaml: formatModule(module), undo };
  }

  /** Deletes a module. Presets that use it stay and report that it is missing. @returns the token that restores it */
  async removeModule(name: string): Promise<string> {
    const { store, facts } = await this.#current();
    entryOf(store.modules, name, 'module');
    const undo = await this.#remove('module', facts.id, name, store.modules);
    this.#announce('module', name, 'deleted');
    return undo;
  }

  /** Restores a deleted preset or module, or the previous version of one. */
  async restore(kind: 'preset' | 'module', robot: string, name: string, put: () => Promise<string | null>) {
    const store = this.#store(robot);
    const redo = await (kind === 'preset' ? store.presets : store.modules).change(name, put);
    if (robot === this.#deps.robot().id) this.#announce(kind, name, 'written');
    return redo;
  }

  #remove(kind: 'preset' | 'module', robot: string, name: string, files: ConfigFiles<StoredPreset | StoredModule>) {
    return files.remove(name, (file) => this.#deps.trash.take({ kind, robot, name }, [file]));
  }

  /** Keeps the current version of a file in the trash while `write` replaces it. */
  #replace(kind: 'preset' | 'module', robot: string, file: string, write: () => Promise<void>) {
    return this.#deps.trash.replace({ kind, robot, name: path.basename(file, '.yaml') }, [file], write);
  }

  async #current() {
    const facts = this.#deps.robot();
    const store = this.#store(facts.id);
    await store.refresh();
    return { facts, store, sources: store.sources(facts) };
  }

  #store(robot: string): TaskStore {
    let store = this.#stores.get(robot);
    if (!store) {
      store = new TaskStore(path.join(this.#deps.folder, robot), ({ kind, name, reason }) => {
        if (robot === this.#deps.robot().id) this.#announce(kind, name, reason);
      });
      this.#stores.set(robot, store);
    }
    return store;
  }

  #announce(kind: 'preset' | 'module', name: string, reason: 'written' | 'deleted' | 'changed'): void {
    this.#deps.onTasks();
    this.#deps.hub.publish('presets', { kind, name, reason });
    const how = reason === 'changed' ? 'changed on disk' : reason;
    this.#deps.logger.info(`${kind === 'preset' ? 'Preset' : 'Module'} ${name} ${how}`);
    this.logBroken();
  }

  /** Logs each preset and module of the selected robot that has become unusable or usable again. */
  logBroken(): void {
    const facts = this.#deps.robot();
    const errors = this.#store(facts.id).errors(facts);
    const before = this.#broken.get(facts.id);
    const broken = new Map<string, string>();
    const all = [
      ['Preset', errors.presets],
      ['Module', errors.modules],
    ] as const;
    for (const [kind, entries] of all) {
      for (const [name, error] of entries) {
        const what = `${kind} ${name}`;
        const was = before?.get(what);
        if (error !== null) broken.set(what, error);
        if (error !== null && error !== was) this.#deps.logger.warn(`${what} cannot be used: ${error}`);
        else if (error === null && was !== undefined) this.#deps.logger.info(`${what} can be used again`);
      }
    }
    this.#broken.set(facts.id, broken);
  }

  #effect(facts: RobotFacts, { base, config }: ReturnType<typeof resolvePreset>): Effect {
    const { library } = this.#store(facts.id).sources(facts).vocabulary;
    const now = taskEffect(config, facts, library);
    const before = taskEffect(base.config, facts, library);
    return {
      observations: Object.entries(now.observations).map(([group, dim]) => ({
        group,
        dim,
        base: before.observations[group] ?? null,
      })),
      action: { dim: now.action, base: before.action },
      memory: {
        envs: MEMORY_ENVS,
        bytes: MEMORY_ENVS * now.env_bytes,
        base_bytes: MEMORY_ENVS * before.env_bytes,
      },
    };
  }
}

function tasksIn(store: TaskStore, facts: RobotFacts): Task[] {
  const bases = store
    .sources(facts)
    .vocabulary.bases.map(({ name, description }): Task => ({ name, base: name, preset: null, description }));
  const presets = store.usable(facts).map(
    (preset): Task => ({
      name: taskNameOf(preset),
      base: preset.base,
      preset: preset.name,
      description: preset.description,
    }),
  );
  return [...bases, ...presets];
}

function entryOf<T extends { readonly name: string }>(
  files: ConfigFiles<T>,
  name: string,
  kind: string,
): ConfigEntry<T> {
  const entry = files.entries.get(name);
  if (entry) return entry;
  throw badInput(`name: unknown ${kind} ${quoteName(name)}${instead(name, [...files.entries.keys()])}`);
}

function presetOf({ name, value }: ConfigEntry<StoredPreset>, error: string | null): Preset {
  if (!value) return { name, task: '', base: '', modules: [], overrides: {}, description: '', error };
  const { base, modules, overrides, description } = value;
  return { name, task: taskNameOf(value), base, modules: [...modules], overrides, description, error };
}

function moduleOf({ name, value }: ConfigEntry<StoredModule>, error: string | null): Module {
  return { name, overrides: value?.overrides ?? {}, description: value?.description ?? '', error };
}
