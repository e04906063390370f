import path from 'node:path';
import { clipFileTypeOf } from '../../formats/clip-registry.ts';
import type { EditStep } from '../../protocol/schemas/edit.ts';

/** Ending of the file beside an edited clip that says how it was made. */
export const RECIPE_ENDING = '.recipe.yaml';

/** A clip that an edit has read. */
export interface RecipeSource {
  readonly dataset: string;
  readonly clip: string;
  readonly file: string;
  /** of the file's content, in hex */
  readonly sha256: string;
}

/** How an edited clip was made. */
export interface Recipe {
  readonly version: 1;
  readonly source: RecipeSource;
  /** clips that `append` steps have read */
  readonly appended?: readonly RecipeSource[];
  readonly steps: readonly EditStep[];
  /** number of the clip among the parts of a split, from 1 */
  readonly part?: number;
}

/** Returns the path of the recipe beside a raw clip's file. @param file path of the clip's file */
export function recipeOf(file: string): string {
  const ending = clipFileTypeOf(file)?.ending ?? path.extname(file);
  return file.slice(0, -ending.length) + RECIPE_ENDING;
}
