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

/** An edit for a thread to compute. Sent between threads. */
export interface EditOrder {
  readonly robot: ClipRobotSource;
  readonly source: EditSource;
  /** the clips that `append` steps name */
  readonly appended: readonly EditSource[];
  readonly steps: readonly EditStep[];
}

/** Where an edit writes its clips. */
export interface EditTarget {
  /** an empty folder */
  readonly folder: string;
  /** name of the clip, or the start of the names of a split's parts */
  readonly name: string;
  /** what `dataset.yaml` of the new clips' dataset overrides in every raw file */
  readonly read: ReadOptions;
}

/** A clip that an edit has written. */
export interface EditedFile {
  readonly clip: string;
  readonly frames: number;
  readonly fps: number;
}

/** Computes an edit and writes `<name>.csv` and `<name>.recipe.yaml` into `folder`; of an edit that splits,
 *  `<name>_1`, `<name>_2` and so on. Sources are only read.
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

/** Computes an edit without writing anything. @param part index of the part of a split that is returned
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

/** Whether an edit makes several clips. */
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
