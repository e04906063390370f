import { type Static, Type } from 'typebox';
import { formatYaml, type YamlText } from '../core/yaml-file.ts';
import { strictBody } from '../protocol/route.ts';

const Overrides = Type.Record(Type.String(), Type.Unknown());
/** More is a mistake: each module is one idea. */
const MAX_MODULES = 64;
const MAX_DESCRIPTION = 2000;

/** What a preset's file holds; its name is the file's. */
export const PresetFile = strictBody({
  base: Type.String({ minLength: 1 }),
  modules: Type.Optional(Type.Array(Type.String(), { maxItems: MAX_MODULES })),
  description: Type.Optional(Type.String({ maxLength: MAX_DESCRIPTION })),
  overrides: Type.Optional(Overrides),
});
export type PresetFile = Static<typeof PresetFile>;

export const ModuleFile = strictBody({
  description: Type.Optional(Type.String({ maxLength: MAX_DESCRIPTION })),
  overrides: Type.Optional(Overrides),
});
export type ModuleFile = Static<typeof ModuleFile>;

/** Task configuration laid over a base task. */
export interface StoredPreset {
  readonly name: string;
  readonly base: string;
  /** laid over the base first, in order */
  readonly modules: readonly string[];
  readonly overrides: Readonly<Record<string, unknown>>;
  readonly description: string;
}

/** Overrides that presets share. */
export interface StoredModule {
  readonly name: string;
  readonly overrides: Readonly<Record<string, unknown>>;
  readonly description: string;
}

/** @throws bad_input naming line and field */
export function readPreset(name: string, yaml: YamlText): StoredPreset {
  const { base, modules = [], overrides = {}, description = '' } = yaml.check(PresetFile);
  return { name, base, modules, overrides, description };
}

/** @throws bad_input naming line and field */
export function readModule(name: string, yaml: YamlText): StoredModule {
  const { overrides = {}, description = '' } = yaml.check(ModuleFile);
  return { name, overrides, description };
}

export function formatPreset({ base, modules, description, overrides }: StoredPreset): string {
  return formatYaml({ base, modules, description, overrides });
}

export function formatModule({ description, overrides }: StoredModule): string {
  return formatYaml({ description, overrides });
}
