import { Type } from 'typebox';
import { badInput } from '../core/errors.ts';
import { formatYaml, type YamlText } from '../core/yaml-file.ts';
import { strictBody } from '../protocol/route.ts';
import { Description, ModuleNames, Overrides } from '../protocol/schemas/presets.ts';

/** Maximum number of characters of a file; a character may need four bytes. */
const MAX_TEXT = 256 << 10;

/** Content of a preset's file. The preset has the name of the file. */
const PresetFile = strictBody({
  base: Type.String({ minLength: 1 }),
  modules: Type.Optional(ModuleNames),
  description: Type.Optional(Description),
  overrides: Type.Optional(Overrides),
});
const ModuleFile = strictBody({
  description: Type.Optional(Description),
  overrides: Type.Optional(Overrides),
});
/** Overrides of a base task. */
export interface StoredPreset {
  readonly name: string;
  readonly base: string;
  /** applied to the base task in this order, before the overrides */
  readonly modules: readonly string[];
  readonly overrides: Readonly<Record<string, unknown>>;
  readonly description: string;
}

/** Overrides that several presets can share. */
export interface StoredModule {
  readonly name: string;
  readonly overrides: Readonly<Record<string, unknown>>;
  readonly description: string;
}

/** Reads a preset's file. @throws bad_input naming line and field */
export function readPreset(name: string, yaml: YamlText): StoredPreset {
  const { base, modules = [], overrides = {}, description = '' } = yaml.check(PresetFile);
  return { name, base, modules, overrides, description };
}

/** Reads a module's file. @throws bad_input naming line and field */
export function readModule(name: string, yaml: YamlText): StoredModule {
  const { overrides = {}, description = '' } = yaml.check(ModuleFile);
  return { name, overrides, description };
}

/** Formats a preset's file. @throws bad_input if the file would be too large to read again */
export function formatPreset({ base, modules, description, overrides }: StoredPreset): string {
  return readable(formatYaml({ base, modules, description, overrides }));
}

/** Formats a module's file. @throws bad_input if the file would be too large to read again */
export function formatModule({ description, overrides }: StoredModule): string {
  return readable(formatYaml({ description, overrides }));
}

function readable(text: string): string {
  if (text.length > MAX_TEXT)
    throw badInput(`overrides: too many: their file would be larger than ${MAX_TEXT >> 10} KiB`);
  return text;
}
