import { isDeepStrictEqual } from 'node:util';
import { badInput } from '../core/errors.ts';
import { quoteName } from '../core/files/names.ts';
import { didYouMean } from '../core/nearest.ts';
import type { Params, TaskConfig } from '../mdp/task-config.ts';
import type { BaseTask } from '../mdp/tasks/base-tasks.ts';
import { checkConfig } from './check-config.ts';
import type { Group } from './knobs/knob-tree.ts';
import { KnobError, mergeOverrides } from './knobs/merge-overrides.ts';
import { taskTree } from './knobs/task-tree.ts';
import type { Vocabulary } from './knobs/vocabulary.ts';
import type { StoredModule, StoredPreset } from './preset-file.ts';

/** Separates base task and preset in the name of a task. */
const PART = '--';

/** Everything that the tasks of one robot are built from. */
export interface TaskSources {
  readonly vocabulary: Vocabulary;
  readonly presets: ReadonlyMap<string, StoredPreset>;
  readonly modules: ReadonlyMap<string, StoredModule>;
}

/** A task's configuration with the tree of its knobs. */
export interface ResolvedTask {
  readonly base: BaseTask;
  readonly tree: Group;
  readonly config: TaskConfig;
}

export function taskNameOf({ name, base }: Pick<StoredPreset, 'name' | 'base'>): string {
  return `${base}${PART}${name}`;
}

/** Returns the base task of a task; undefined for an unknown task. @param task name of a base task or of a preset's
 *  task */
export function baseOf(task: string, bases: readonly BaseTask[]): BaseTask | undefined {
  return bases.find(({ name }) => task === name || task.startsWith(name + PART));
}

/** Resolves a task by its name: a base task, or `<base>--<preset>` with its modules and overrides.
 *  @param field names the request's field in errors  @throws bad_input for an unknown name, or overrides that do not
 *  fit */
export function resolveTask(name: string, sources: TaskSources, field = 'task'): ResolvedTask {
  const { bases } = sources.vocabulary;
  const base = bases.find((task) => task.name === name);
  if (base) return { base, tree: taskTree(base.config, sources.vocabulary), config: base.config };
  const preset = [...sources.presets.values()].find((one) => taskNameOf(one) === name);
  if (preset) return resolvePreset(preset, sources);
  const known = [...bases.map((task) => task.name), ...[...sources.presets.values()].map(taskNameOf)];
  throw badInput(`${field}: there is no task ${quoteName(name)}${instead(name, known)}`);
}

/** Resolves a preset that need not be saved. @throws bad_input naming `base`, a module or the path of a knob */
export function resolvePreset(preset: Omit<StoredPreset, 'name'>, sources: TaskSources): ResolvedTask {
  const moduled = resolveModules(preset.base, preset.modules, sources);
  const config = applyOverrides(moduled.tree, moduled.config, preset.overrides);
  checkConfig(config);
  return { ...moduled, config };
}

/** Applies modules to a base task. @throws bad_input for an unknown name, or a module that does not fit */
export function resolveModules(baseName: string, modules: readonly string[], sources: TaskSources): ResolvedTask {
  const { vocabulary } = sources;
  const base = vocabulary.bases.find((task) => task.name === baseName);
  if (!base) {
    const known = vocabulary.bases.map((task) => task.name);
    throw badInput(`base: there is no base task ${quoteName(baseName)}${instead(baseName, known)}`);
  }
  const tree = taskTree(base.config, vocabulary);
  let { config } = base;
  for (const [index, name] of modules.entries()) {
    const module = sources.modules.get(name);
    if (!module)
      throw badInput(
        `modules[${index}]: there is no module ${quoteName(name)}${instead(name, [...sources.modules.keys()])}`,
      );
    if (modules.indexOf(name) !== index) throw badInput(`modules[${index}]: ${quoteName(name)} is named twice`);
    try {
      config = applyOverrides(tree, config, module.overrides);
    } catch (error) {
      if (error instanceof KnobError) throw badInput(`modules[${index}]: in module ${name}, ${error.message}`);
      throw error;
    }
  }
  return { base, tree, config };
}

/** Applies overrides. If they change the end effectors, the terms that list all end effectors list the new ones.
 *  @throws KnobError */
function applyOverrides(tree: Group, before: TaskConfig, overrides: unknown): TaskConfig {
  const after = mergeOverrides(tree, before, overrides);
  const { ee_body_names: old } = before.commands.motion;
  const { ee_body_names: ee } = after.commands.motion;
  if (isDeepStrictEqual(ee, old)) return after;
  const listing = <T extends { readonly params: Params }>(terms: Readonly<Record<string, T>>) =>
    Object.fromEntries(
      Object.entries(terms).map(([name, term]): [string, T] => [
        name,
        isDeepStrictEqual(term.params['body_names'], old)
          ? { ...term, params: { ...term.params, body_names: ee } }
          : term,
      ]),
    );
  return { ...after, rewards: listing(after.rewards), terminations: listing(after.terminations) };
}

/** Checks that a module fits at least one base task. @throws bad_input with the error of the first base task */
export function checkModule(module: StoredModule, { vocabulary }: TaskSources): void {
  let problem: unknown = null;
  for (const base of vocabulary.bases) {
    try {
      mergeOverrides(taskTree(base.config, vocabulary), base.config, module.overrides);
      return;
    } catch (error) {
      if (!(error instanceof KnobError)) throw error;
      problem ??= error;
    }
  }
  if (problem !== null) throw problem;
}

/** Returns the end of a sentence about an unknown name: suggests a similar name, or lists the known ones. */
export function instead(name: string, known: readonly string[]): string {
  const near = didYouMean(name, known);
  if (near !== null) return `; ${near}`;
  if (known.length === 0) return '; there are none yet';
  return known.length <= 12 ? `; there are ${known.join(', ')}` : '';
}
