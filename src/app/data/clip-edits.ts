import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { inUnseenFolder, moveIntoPlace } from '../../core/files/atomic-file.ts';
import { checkName, nameProblem, quoteName } from '../../core/files/names.ts';
import { unlessRemoved } from '../../core/files/removed.ts';
import { countText } from '../../core/log/format-numbers.ts';
import type { Mutex } from '../../core/mutex.ts';
import { AS_STATED, fixesOf, readIn } from '../../data/dataset-file.ts';
import type { DatasetStore } from '../../data/dataset-store.ts';
import { type EditedFile, type EditOrder, type EditTarget, isSplit } from '../../data/edit/edit-clip-file.ts';
import type { EditSource } from '../../data/edit/read-for-edit.ts';
import { RECIPE_ENDING } from '../../data/edit/recipe.ts';
import { checkOwn, type DatasetPlace } from '../../data/library/dataset-place.ts';
import { isFolder } from '../../data/listing/dataset-snapshot.ts';
import type { ClipRobotSource } from '../../motion/clip-robot.ts';
import { checkStep } from '../../motion/edit/apply-steps.ts';
import { parseFix } from '../../motion/fixes.ts';
import type { BodyOf } from '../../protocol/route.ts';
import type { editClip } from '../../protocol/routes/datasets.ts';
import type { EditStep } from '../../protocol/schemas/edit.ts';
import type { BusyTasks } from '../busy-tasks.ts';

/** Suffix for the name of an edited clip if the request does not give a name. */
const EDITED = '_edited';
/** Repairs that leave an already repaired clip unchanged. `dataset.yaml` may request these repairs for all clips. */
const REPEATABLE = ['debias_z', 'normalize_quaternion'];

export interface ClipEditsDeps {
  readonly busy: BusyTasks;
  /** lock for changes of a dataset; the key is the dataset's folder */
  readonly changes: Mutex;
  /** the selected robot */
  robot(): ClipRobotSource;
  /** Returns the dataset store of a robot. */
  store(robot: ClipRobotSource): DatasetStore;
  /** Computes an edit and writes the resulting clips, in a thread of the pool. */
  edit(order: EditOrder, target: EditTarget): Promise<EditedFile[]>;
}

/** Creates new clips by applying edit steps to clips. The source clips stay unchanged. */
export class ClipEdits {
  readonly #deps: ClipEditsDeps;

  constructor(deps: ClipEditsDeps) {
    this.#deps = deps;
  }

  /** Starts an edit, which is slow. @returns the name of the busy task
   *  @throws bad_input for an unknown dataset or clip, an invalid step, an invalid or taken name, or a linked target
   *  dataset */
  async start(body: BodyOf<typeof editClip>): Promise<string> {
    const { dataset, clip, steps, into = dataset } = body;
    const name = checkName('clip', body.name ?? `${clip}${EDITED}`, 'name');
    const order = await this.order(dataset, clip, steps);
    const store = this.#deps.store(order.robot);
    const place = await this.#target(store, into);
    await refuseTaken(store, place, isSplit(steps) ? `${name}_1` : name);
    const { defaults } = await store.conversionSource(into);
    refuseRepairs(into, defaults.fixes);
    const read = readIn(defaults);
    return this.#deps.busy.start('edit', `Editing ${clip}`, `edit ${place.raw} ${name}`, async (progress) => {
      progress.report('computing');
      const clips = await unlessRemoved(
        `dataset: "${into}"`,
        inUnseenFolder(place.folder, async (folder) => {
          const files = await this.#deps.edit(order, { folder, name, read });
          progress.signal.throwIfAborted();
          await this.#deps.changes.run(() => publish(store, place, folder, files), place.folder);
          return files;
        }),
      );
      for (const { clip: made } of clips) store.touch(into, path.join(place.raw, `${made}.csv`));
      progress.made({ clips: clips.map((made) => made.clip) });
      const [first] = clips;
      const what = clips.length === 1 && first ? `Clip ${first.clip}` : `${countText(clips.length, 'clip')} ${name}_…`;
      progress.outcome(`${what} of ${into} made from ${clip} of ${dataset}: ${steps.map(kindsOf).join(', ')}`);
    });
  }

  /** Resolves the files that an edit reads. @throws bad_input for the same reasons as `start` */
  async order(dataset: string, clip: string, steps: readonly EditStep[]): Promise<EditOrder> {
    const kinds = steps.map((step, index) => checkStep(step, index));
    if (kinds.filter((kind) => kind === 'split').length > 1)
      throw badInput(
        'steps: contains two split steps, expected at most one. Split the clip once, then edit the parts.',
      );
    const robot = this.#deps.robot();
    const store = this.#deps.store(robot);
    const names = new Set(steps.flatMap(({ append }) => append?.clip ?? []));
    const appended: EditSource[] = [];
    for (const name of names) {
      const index = steps.findIndex(({ append }) => append?.clip === name);
      appended.push(await sourceOf(store, dataset, name, `steps[${index}].append.clip`));
    }
    return { robot, source: await sourceOf(store, dataset, clip, 'clip'), appended, steps };
  }

  async #target(store: DatasetStore, into: string): Promise<DatasetPlace> {
    const place = await store.place(into, 'into');
    if (place.linked !== null)
      throw badInput(
        `into: dataset "${into}" is linked to ${place.linked}, and linked folders are never changed. Choose a dataset of the workspace.`,
      );
    await checkOwn(place, place.raw);
    return place;
  }
}

/** Moves the edited clips into the dataset. The recipe of each clip is moved before the clip. */
async function publish(store: DatasetStore, place: DatasetPlace, from: string, files: readonly EditedFile[]) {
  // Check the names again: other requests may have created clips during the computation, and only now the number of
  // parts of a split is known.
  for (const { clip } of files) await refuseTaken(store, place, clip);
  const folder = (await isFolder(place.raw)) ? place.raw : place.folder;
  for (const { clip } of files)
    for (const file of [`${clip}${RECIPE_ENDING}`, `${clip}.csv`])
      await moveIntoPlace(path.join(from, file), path.join(folder, file));
}

async function refuseTaken(store: DatasetStore, { name: dataset }: DatasetPlace, clip: string): Promise<void> {
  const problem = nameProblem('clip', clip);
  if (problem !== null) throw badInput(`name: ${quoteName(clip)} ${problem}`);
  if (await store.hasClip(dataset, clip))
    throw badInput(`name: dataset "${dataset}" already has a clip ${quoteName(clip)}. Choose another name.`);
}

async function sourceOf(store: DatasetStore, dataset: string, clip: string, field: string): Promise<EditSource> {
  const { entry, defaults } = await store.editSource(dataset, clip, field);
  const file = entry.raw ?? entry.npz!;
  return {
    dataset,
    clip,
    path: file.path,
    format: file.format.id,
    raw: entry.raw !== null,
    read: entry.raw ? readIn(defaults) : AS_STATED,
    fixes: entry.raw ? fixesOf(defaults, clip) : [],
    converted: entry.raw && entry.npz ? entry.npz.path : null,
  };
}

/** Refuses a dataset whose `dataset.yaml` applies repairs other than the `REPEATABLE` ones to every clip: an edited
 *  clip would be repaired a second time. */
function refuseRepairs(dataset: string, fixes: readonly string[] | Readonly<Record<string, unknown>> | undefined) {
  if (!Array.isArray(fixes)) return;
  const twice = (fixes as readonly string[]).find((fix) => !REPEATABLE.includes(parseFix(fix).kind));
  if (twice !== undefined)
    throw badInput(
      `into: dataset.yaml of "${dataset}" repairs every clip (convert.fixes: ${twice}), and an edited clip is already repaired. Choose another dataset.`,
    );
}

function kindsOf(step: EditStep): string {
  return Object.keys(step).join(' ');
}
