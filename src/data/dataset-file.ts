import path from 'node:path';
import { type Static, Type } from 'typebox';
import { messageOf, StudioError } from '../core/errors.ts';
import { readYaml } from '../core/yaml-file.ts';
import { parseFix } from '../motion/fixes.ts';

export const DATASET_FILE = 'dataset.yaml';

const fps = Type.Optional(Type.Number({ minimum: 1, maximum: 1000 }));
const Repairs = Type.Array(Type.String({ maxLength: 4096 }), { maxItems: 16 });
const Convert = Type.Object(
  {
    input_fps: fps,
    output_fps: fps,
    debias_z: Type.Optional(Type.Boolean()),
    mirror: Type.Optional(Type.Boolean()),
    /** repairs for all clips, or by clip name */
    fixes: Type.Optional(Type.Union([Repairs, Type.Record(Type.String(), Repairs)])),
  },
  { additionalProperties: false },
);
const DatasetFile = Type.Object(
  {
    version: Type.Literal(1),
    source: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
    convert: Type.Optional(Convert),
  },
  { additionalProperties: false },
);

/** The content of a dataset's `dataset.yaml`, or the reason why it cannot be used. */
export interface DatasetConfig {
  /** absolute folder of the clips if the dataset is a link, else null */
  readonly source: string | null;
  /** conversion defaults of the dataset */
  readonly convert: Static<typeof Convert>;
  /** why the file cannot be used; the other fields are then empty */
  readonly error: string | null;
}

/** Reads `dataset.yaml` of a dataset's folder; without the file nothing is set. The path of a linked folder may be
 *  relative to the dataset's folder. */
export async function readDatasetConfig(folder: string): Promise<DatasetConfig> {
  try {
    const { source, convert = {} } = (await readYaml(path.join(folder, DATASET_FILE), DATASET_FILE)).check(DatasetFile);
    checkFixes(convert.fixes);
    return { source: source === undefined ? null : path.resolve(folder, source), convert, error: null };
  } catch (error) {
    const none = { source: null, convert: {} };
    if (error instanceof StudioError) return { ...none, error: error.message };
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { ...none, error: null };
    return { ...none, error: `${DATASET_FILE}: cannot be read: ${messageOf(error)}` };
  }
}

function checkFixes(fixes: DatasetConfig['convert']['fixes']): void {
  if (fixes === undefined) return;
  for (const [clip, texts] of Array.isArray(fixes) ? [[null, fixes] as const] : Object.entries(fixes)) {
    const field = clip === null ? 'convert.fixes' : `convert.fixes.${clip}`;
    for (const [index, text] of texts.entries()) parseFix(text, `${DATASET_FILE}: ${field}.${index}`);
  }
}

/** Returns the repairs that `dataset.yaml` sets for a clip; null if it sets none. */
export function fixesOf({ fixes }: DatasetConfig['convert'], clip: string): readonly string[] | null {
  if (fixes === undefined) return null;
  if (Array.isArray(fixes)) return fixes;
  return Object.hasOwn(fixes, clip) ? fixes[clip]! : null;
}
