import { copyFileSync, linkSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { writeAtomicSync } from '../../core/files/atomic-file.ts';
import { readSmallFile } from '../../core/files/bounded-file.ts';
import { makeFoldersSync } from '../../core/files/make-folders.ts';
import { type Checkpoint, formatCheckpoint } from '../../runs/checkpoint/write-checkpoint.ts';

/** Name of the folder of experts in the folder of a run. Listings of runs skip it. */
const EXPERTS = 'experts';
const PLAN_FILE = 'plan.json';
const VERSION = 1;
const MAX_PLAN_BYTES = 4 << 20;
const BASE_FILE = 'base.pt';
const TAKEN_OVER = /^(base\.pt|\d{4}\.(pt|json))$/;

/** One expert of a run. */
interface ExpertPlan {
  /** name of its chunk */
  readonly name: string;
  /** seconds that the base policy tracks in the chunk */
  readonly base_s: number;
  /** iterations granted; 0: the base policy is the expert */
  readonly iterations: number;
}

/** The plan of a training with experts. It is written when the base policy is trained. */
export interface LibraryPlan {
  readonly version: typeof VERSION;
  readonly chunk_s: number;
  readonly overlap_s: number;
  /** iterations of the run when the experts began, and at its end */
  readonly first: number;
  readonly end: number;
  readonly experts: readonly ExpertPlan[];
  /** whether the run is complete */
  readonly distilled: boolean;
}

/** Result of an expert, written when it is finished. */
export interface ExpertResult {
  readonly iterations: number;
  /** seconds tracked in the chunk at the last evaluation; null without an evaluation */
  readonly tracked_s: number | null;
}

/** The experts in the folder of a run: `experts/plan.json`, and `<nnnn>.pt` and `<nnnn>.json` of each finished expert.
 *  Finished experts survive a kill; others are trained again from the base policy. */
export class LibraryRun {
  readonly folder: string;

  constructor(runFolder: string) {
    this.folder = path.join(runFolder, EXPERTS);
  }

  /** Makes the folder. */
  create(): void {
    makeFoldersSync(this.folder, 5);
  }

  /** Reads the plan. Returns null if the training of the base policy was not finished. @throws StudioError bad_input
   *  for a damaged file */
  async plan(): Promise<LibraryPlan | null> {
    return this.#read(PLAN_FILE, isPlan);
  }

  /** Saves the plan. Save the base policy before: an existing plan means that the base policy is complete. */
  writePlan(plan: LibraryPlan): void {
    writeAtomicSync(path.join(this.folder, PLAN_FILE), `${JSON.stringify(plan, null, 1)}\n`);
  }

  /** Path of the base policy, from which the experts start. */
  get baseFile(): string {
    return path.join(this.folder, BASE_FILE);
  }

  /** Keeps a checkpoint of the run as the base policy. */
  keepBase(file: string): void {
    this.create();
    rmSync(this.baseFile, { force: true });
    shareFile(file, this.baseFile);
  }

  /** Reads the result of an expert; null if it is not finished. */
  async result(expert: number): Promise<ExpertResult | null> {
    return this.#read(`${numberOf(expert)}.json`, isResult);
  }

  checkpointFile(expert: number): string {
    return path.join(this.folder, `${numberOf(expert)}.pt`);
  }

  /** Saves a finished expert. Its result is written last, so an existing result means that its checkpoint is
   *  complete. */
  finish(expert: number, checkpoint: Checkpoint, result: ExpertResult): void {
    writeAtomicSync(this.checkpointFile(expert), formatCheckpoint(checkpoint));
    writeAtomicSync(path.join(this.folder, `${numberOf(expert)}.json`), `${JSON.stringify(result)}\n`);
  }

  /** Copies the plan and the finished experts of another run. Uses hard links where the disk supports them. */
  takeOver(from: LibraryRun): void {
    this.create();
    const names = readdirSync(from.folder).filter((name) => TAKEN_OVER.test(name));
    for (const name of [...names.sort(), PLAN_FILE])
      shareFile(path.join(from.folder, name), path.join(this.folder, name));
  }

  async #read<T>(name: string, isValid: (value: unknown) => value is T): Promise<T | null> {
    const file = path.join(this.folder, name);
    let text: Buffer;
    try {
      text = await readSmallFile(file, MAX_PLAN_BYTES, name);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return null;
      throw error;
    }
    let value: unknown = null;
    try {
      value = JSON.parse(text.toString());
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    if (!isValid(value))
      throw badInput(
        `resume_run: ${EXPERTS}/${name} is damaged. Delete the folder ${EXPERTS} to train the experts again.`,
      );
    return value;
  }
}

/** Gives a file a second name, or copies it where the disk has no hard links. Files are replaced, never changed. */
function shareFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

function numberOf(expert: number): string {
  return String(expert).padStart(4, '0');
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function isPlan(value: unknown): value is LibraryPlan {
  return (
    isObject(value) &&
    value['version'] === VERSION &&
    typeof value['chunk_s'] === 'number' &&
    typeof value['overlap_s'] === 'number' &&
    isCount(value['first']) &&
    isCount(value['end']) &&
    typeof value['distilled'] === 'boolean' &&
    Array.isArray(value['experts']) &&
    value['experts'].every(
      (expert) => isObject(expert) && typeof expert['name'] === 'string' && isCount(expert['iterations']),
    )
  );
}

function isResult(value: unknown): value is ExpertResult {
  return isObject(value) && isCount(value['iterations']);
}
