import path from 'node:path';
import { clipFileTypeOf } from '../../formats/clip-registry.ts';
import type { EditStep } from '../../protocol/schemas/edit.ts';

/** File name ending of a recipe: the file next to an edited clip that records how the clip was made. */
export const RECIPE_ENDING = '.recipe.yaml';

/** A source clip of an edit. */
export interface RecipeSource {
  readonly dataset: string;
  readonly clip: string;
  readonly file: string;
  /** checksum of the file's content, in hex */
  readonly sha256: string;
}

/** The record of how an edited clip was made. */
export interface Recipe {
  readonly version: 1;
  readonly source: RecipeSource;
  /** source clips of the `append` steps */
  readonly appended?: readonly RecipeSource[];
  readonly steps: readonly EditStep[];
  /** number of the clip among the parts of a split, from 1 */
  readonly part?: number;
}

/** Returns the path of the recipe next to a raw clip's file. @param file path of the clip's file */
export function recipeOf(file: string): string {
  const ending = clipFileTypeOf(file)?.ending ?? path.extname(file);
  return file.slice(0, -ending.length) + RECIPE_ENDING;
}
