import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { createFolderAtomic } from '../../core/files/atomic-file.ts';
import { nameProblem, quoteName } from '../../core/files/names.ts';
import { countText } from '../../core/log/format-numbers.ts';
import { AS_STATED } from '../../data/dataset-file.ts';
import type { DatasetStore } from '../../data/dataset-store.ts';
import type { EditedFile, EditOrder, EditTarget } from '../../data/edit/edit-clip-file.ts';
import { RAW_FOLDER } from '../../data/listing/dataset-snapshot.ts';
import type { Stretch, StretchOptions } from '../../evaluate/failed-stretches.ts';
import type { StoredEvaluation } from '../../evaluate/report/read-report.ts';
import type { BodyOf } from '../../protocol/route.ts';
import type { collectFailures } from '../../protocol/routes/evaluations.ts';
import type { EditStep } from '../../protocol/schemas/edit.ts';
import type { BusyTasks, Progress } from '../busy-tasks.ts';

/** Time before and after a failure if the request gives none, s. */
const MARGIN_S = 2;
/** Number of clips cut at the same time. The size of the thread pool is a further limit. */
const AT_ONCE = 8;

export interface FailureDatasetsDeps {
  readonly busy: BusyTasks;
  /** id of the selected robot */
  robot(): string;
  /** the datasets of the selected robot */
  store(): DatasetStore;
  /** @throws bad_input for an unknown evaluation */
  evaluation(name: string): Promise<StoredEvaluation>;
  /** Finds the stretches around failures, in a thread of the pool. */
  stretches(stored: StoredEvaluation, options: StretchOptions): Promise<Stretch[]>;
  /** @throws bad_input for an unknown clip */
  order(dataset: string, clip: string, steps: readonly EditStep[]): Promise<EditOrder>;
  /** Writes an edited clip, in a thread of the pool. */
  edit(order: EditOrder, target: EditTarget): Promise<EditedFile[]>;
}

/** Creates datasets from the parts of clips in which policies fail. */
export class FailureDatasets {
  readonly #deps: FailureDatasetsDeps;

  constructor(deps: FailureDatasetsDeps) {
    this.#deps = deps;
  }

  /** Starts to create a dataset of the clips whose success rate in the evaluation is below the requested limit. The
   *  dataset appears when it is complete. @returns the name of the busy task that reports the progress
   *  @throws bad_input for an evaluation that is not done or not of a dataset, for an invalid or taken name, or if no
   *  clip has a success below the limit */
  async start(name: string, body: BodyOf<typeof collectFailures>): Promise<string> {
    const { dataset, below, margin_s: marginS = MARGIN_S, checkpoint, condition } = body;
    const stored = await this.#deps.evaluation(name);
    const source = this.#sourceOf(stored);
    refuseUnknown(stored, checkpoint, condition);
    const store = this.#deps.store();
    const target = await store.freePlace(dataset, 'dataset');
    const options: StretchOptions = {
      below,
      marginS,
      ...(checkpoint === undefined ? {} : { checkpoint }),
      ...(condition === undefined ? {} : { condition }),
    };
    const parts = named(await this.#deps.stretches(stored, options));
    if (parts.length === 0)
      throw badInput(`below: no clip of ${quoteName(name)} has a success below ${below}. Choose a larger value.`);
    return this.#deps.busy.start('failures', `Making ${dataset}`, `import ${target}`, async (progress) => {
      await createFolderAtomic(target, (folder) => this.#fill(folder, source, parts, progress));
      store.markDirty(target);
      store.markDirty(path.dirname(target));
      progress.made({ dataset });
      progress.outcome(
        `Dataset ${dataset} created from ${countText(parts.length, 'failed stretch', 'failed stretches')} of ${source}`,
      );
    });
  }

  async #fill(folder: string, source: string, parts: readonly NamedStretch[], progress: Progress): Promise<void> {
    const raw = path.join(folder, RAW_FOLDER);
    await mkdir(raw);
    let done = 0;
    const rest = parts.values();
    const work = async () => {
      for (const { name, clip, fromS, toS } of rest) {
        progress.signal.throwIfAborted();
        const order = await this.#deps.order(source, clip, [{ trim: { from_s: fromS, to_s: toS } }]);
        await this.#deps.edit(order, { folder: raw, name, read: AS_STATED });
        done += 1;
        progress.report(`${done} of ${countText(parts.length, 'stretch', 'stretches')}`, done / parts.length);
      }
    };
    // Wait for all writers: the caller removes the folder after an error.
    const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
    const failed = ended.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** Returns the dataset of an evaluation. @throws bad_input if the evaluation is not done, not of a dataset, or not of
   *  the selected robot */
  #sourceOf({ evaluation: { name, status, protocol } }: StoredEvaluation): string {
    if (status !== 'done')
      throw badInput(
        `name: the evaluation ${quoteName(name)} is ${status}: its failures are not known until it is done`,
      );
    const [data, robot, dataset, ...more] = protocol.motion.split('/');
    if (data !== 'data' || robot === undefined || dataset === undefined || more.length > 0)
      throw badInput(
        `name: the evaluation ${quoteName(name)} uses ${protocol.motion}, which is not a dataset. Evaluate the run on a dataset.`,
      );
    if (robot !== this.#deps.robot())
      throw badInput(`name: the evaluation ${quoteName(name)} is of robot "${robot}". Select that robot first.`);
    return dataset;
  }
}

type NamedStretch = Stretch & { readonly name: string };

/** Gives every stretch a name that begins with the name of its clip. @throws bad_input for a name that would be too
 *  long */
function named(stretches: readonly Stretch[]): NamedStretch[] {
  const counts = new Map<string, number>();
  const taken = new Set<string>();
  return stretches.map((stretch) => {
    let name: string;
    do {
      const number = (counts.get(stretch.clip) ?? 0) + 1;
      counts.set(stretch.clip, number);
      name = `${stretch.clip}_fail${number}`;
    } while (taken.has(name));
    taken.add(name);
    const problem = nameProblem('clip', name);
    if (problem !== null) throw badInput(`name: the new clip ${quoteName(name)} ${problem}: rename its source first`);
    return { ...stretch, name };
  });
}

function refuseUnknown({ evaluation: { name, protocol } }: StoredEvaluation, checkpoint?: string, condition?: string) {
  if (checkpoint !== undefined && !protocol.checkpoints.includes(checkpoint))
    throw badInput(`checkpoint: the evaluation ${quoteName(name)} has no checkpoint ${quoteName(checkpoint)}`);
  if (condition !== undefined && !protocol.conditions.some((one) => one.name === condition))
    throw badInput(`condition: the evaluation ${quoteName(name)} has no condition ${quoteName(condition)}`);
}
