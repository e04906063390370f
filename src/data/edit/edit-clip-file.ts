import path from 'node:path';
import { writeWholeSync } from '../../core/files/atomic-file.ts';
import { formatYaml } from '../../core/yaml-file.ts';
import { type ClipRobotSource, openClipRobot } from '../../motion/clip-robot.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import { applySteps } from '../../motion/edit/apply-steps.ts';
import type { EditStep } from '../../protocol/schemas/edit.ts';
import type { ReadOptions } from '../../protocol/schemas/reading.ts';
import type { SharedClipRows } from '../clip/load-clip.ts';
import { clipCsv } from './clip-csv.ts';
import { type EditSource, readForEdit, recipeSource } from './read-for-edit.ts';
import { RECIPE_ENDING, type Recipe } from './recipe.ts';

/** The description of an edit, as sent to a thread that computes it. */
export interface EditOrder {
  readonly robot: ClipRobotSource;
  readonly source: EditSource;
  /** the clips named by `append` steps */
  readonly appended: readonly EditSource[];
  readonly steps: readonly EditStep[];
}

/** The destination of the clips that an edit writes. */
export interface EditTarget {
  /** path of an empty folder */
  readonly folder: string;
  /** name of the new clip; for a split, the start of the names of its parts */
  readonly name: string;
  /** options of the target dataset's `dataset.yaml`, which override what every raw file states */
  readonly read: ReadOptions;
}

/** A clip file written by an edit. */
export interface EditedFile {
  readonly clip: string;
  readonly frames: number;
  readonly fps: number;
}

/** Computes an edit and writes `<name>.csv` and `<name>.recipe.yaml` into `folder`. For a split, the names are
 *  `<name>_1`, `<name>_2` and so on. The source files stay unchanged.
 *  @throws bad_input naming the step and its field; disk_full */
export async function editClipFile(order: EditOrder, { folder, name, read }: EditTarget): Promise<EditedFile[]> {
  const parts = await compute(order);
  const source = await recipeSource(order.source);
  const appended = await Promise.all(order.appended.map(recipeSource));
  const joints = order.robot.facts.joints.map((joint) => joint.name);
  const splits = isSplit(order.steps);
  return parts.map((part, index) => {
    const clip = splits ? `${name}_${index + 1}` : name;
    const recipe: Recipe = {
      version: 1,
      source,
      ...(appended.length > 0 ? { appended } : {}),
      steps: order.steps,
      ...(splits ? { part: index + 1 } : {}),
    };
    writeWholeSync(path.join(folder, clip + RECIPE_ENDING), formatYaml(recipe));
    writeWholeSync(path.join(folder, `${clip}.csv`), clipCsv(part, { read, joints }));
    return { clip, frames: part.frames, fps: part.fps };
  });
}

/** Computes an edit without writing files. @param part index of the split's part to return
 *  @throws bad_input naming the step and its field */
export async function previewEdit(
  order: EditOrder,
  part: number,
): Promise<{ readonly clip: SharedClipRows; readonly part: number; readonly parts: number }> {
  const parts = await compute(order);
  const index = Math.min(part, parts.length - 1);
  const { fps, frames, rows } = parts[index]!;
  const shared = new Float64Array(new SharedArrayBuffer(rows.byteLength));
  shared.set(rows);
  return { clip: { fps, frames, rows: shared }, part: index, parts: parts.length };
}

/** Returns true if an edit creates several clips. */
export function isSplit(steps: readonly EditStep[]): boolean {
  return steps.some((step) => step.split !== undefined);
}

async function compute({ robot: from, source, appended, steps }: EditOrder): Promise<ClipRows[]> {
  const robot = await openClipRobot(from);
  const clip = await readForEdit(source, robot);
  const others = new Map<string, ClipRows>();
  for (const other of appended) others.set(other.clip, await readForEdit(other, robot));
  return applySteps(clip, steps, { robot, appended: others });
}
