import { type Static, Type } from 'typebox';
import { badInput } from '../core/errors.ts';
import { formatYaml, type YamlText } from '../core/yaml-file.ts';
import { strictBody } from '../protocol/route.ts';
import { Description, ModuleNames, Overrides } from '../protocol/schemas/presets.ts';

/** Characters of a file; what is read may have four bytes each. */
const MAX_TEXT = 256 << 10;

/** What a preset's file holds; its name is the file's. */
export const PresetFile = strictBody({
  base: Type.String({ minLength: 1 }),
  modules: Type.Optional(ModuleNames),
  description: Type.Optional(Description),
  overrides: Type.Optional(Overrides),
});
export type PresetFile = Static<typeof PresetFile>;

export const ModuleFile = strictBody({
  description: Type.Optional(Description),
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

/** The text of a preset's file. @throws bad_input for one that could not be read again */
export function formatPreset({ base, modules, description, overrides }: StoredPreset): string {
  return readable(formatYaml({ base, modules, description, overrides }));
}

/** The text of a module's file. @throws bad_input for one that could not be read again */
export function formatModule({ description, overrides }: StoredModule): string {
  return readable(formatYaml({ description, overrides }));
}

function readable(text: string): string {
  if (text.length > MAX_TEXT)
    throw badInput(`overrides: are too many: their file would be larger than ${MAX_TEXT >> 10} KiB`);
  return text;
}
