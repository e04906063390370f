import { realpath, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { checkName, quoteName } from '../../core/files/names.ts';
import { isInside } from '../../core/files/path-guard.ts';
import { unlessRemoved } from '../../core/files/removed.ts';
import { countText, namesText, spanText } from '../../core/log/format-numbers.ts';
import type { Logger } from '../../core/logger.ts';
import type { Mutex } from '../../core/mutex.ts';
import { Slices } from '../../core/slices.ts';
import { checkReadOptions } from '../../data/clip/joint-order.ts';
import { MIRROR_ENDING } from '../../data/conversion/mirror-name.ts';
import { AS_STATED, changeMarks, DATASET_FILE, readIn, renameInDatasetFile } from '../../data/dataset-file.ts';
import type { DatasetStore } from '../../data/dataset-store.ts';
import { checkOwn, clipPlace } from '../../data/library/dataset-place.ts';
import { type BundleReader, importCopy, importLink } from '../../data/library/import-dataset.ts';
import { type EpisodeWriter, importLayout } from '../../data/library/import-layout.ts';
import { checkSource, surveySource } from '../../data/library/import-source.ts';
import type { DatasetLayout } from '../../data/library/layouts/dataset-layout.ts';
import { receiveClip } from '../../data/library/receive-clip.ts';
import { entriesOfClip, entriesOfDataset } from '../../data/library/remove.ts';
import { renameClips, renameDataset } from '../../data/library/rename.ts';
import { type MarkChange, setMarks } from '../../data/marks/clip-marks.ts';
import { clipFileType } from '../../formats/clip-registry.ts';
import type { BodyOf, QueryOf } from '../../protocol/route.ts';
import type { downloadClip, importDataset, markClips, renameData } from '../../protocol/routes/datasets.ts';
import type { MarkEntries } from '../../protocol/schemas/clip-marks.ts';
import type { DatasetCounts } from '../../protocol/schemas/data.ts';
import type { ReadOptions } from '../../protocol/schemas/reading.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { RenamedFile } from '../../trash/trash-record.ts';
import type { BusyTasks, Progress } from '../busy-tasks.ts';
import type { EventHub } from '../event-hub.ts';
import { ClipStory } from '../story/clip-story.ts';
import type { Trash } from '../trash/trash.ts';
import type { Uses } from '../uses.ts';
import { layoutOf } from './clip-columns.ts';

/** Minimum time between two progress reports, ms. */
const REPORT_MS = 100;

export interface DatasetEditorDeps {
  /** folder that contains the datasets of all robots */
  readonly dataFolder: string;
  readonly hub: EventHub;
  readonly busy: BusyTasks;
  /** lock for changes of a dataset; the key is the dataset's folder */
  readonly changes: Mutex;
  readonly logger: Logger;
  robot(): RobotFacts;
  /** Returns the dataset store of a robot. */
  store(robot: RobotIdentity): DatasetStore;
  /** @throws bad_input for a file that is not a clip of the robot */
  checkClip(file: string, format: string, robot: RobotFacts, read: ReadOptions): Promise<'clip' | 'bundle'>;
  readonly bundles: BundleReader;
  /** Returns the reader of dataset layouts for the selected robot. */
  layouts(): LayoutReader;
  readonly uses: Uses;
  readonly trash: Trash;
}

/** Reads dataset layouts (such as a LeRobot dataset) on other threads. */
interface LayoutReader extends EpisodeWriter {
  /** Detects the layout of a source folder.
   *  @returns null for a folder of plain clip files  @throws bad_input if the layout cannot be imported */
  find(source: string, read: ReadOptions): Promise<DatasetLayout | null>;
}

interface LayoutImport {
  readonly store: DatasetStore;
  readonly episodes: EpisodeWriter;
  readonly source: string;
  readonly name: string | undefined;
  readonly link: boolean;
}

type RobotIdentity = Pick<RobotFacts, 'id'>;

/** Creates, fills and deletes datasets. */
export class DatasetEditor {
  readonly #deps: DatasetEditorDeps;
  readonly #story: ClipStory;

  constructor(deps: DatasetEditorDeps) {
    this.#deps = deps;
    this.#story = new ClipStory(deps.logger);
  }

  /** Checks an uploaded clip file and writes it into a dataset: completely or not at all.
   *  @param chunks the file's bytes; an error while reading them undoes the upload
   *  @throws bad_input for a file that is not a clip of the robot, an unknown or linked dataset, or an invalid name;
   *  disk_full */
  async upload(
    name: string,
    file: string,
    chunks: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<{ clip: string; bytes: number; clips: string[]; undo: string | null }> {
    const robot = this.#deps.robot();
    const store = this.#deps.store(robot);
    const dataset = await store.place(name);
    const place = clipPlace(dataset, file);
    const read = readIn((await store.conversionSource(name)).defaults);
    let undo: string | null = null;
    const { bytes, files, leftOut } = await receiveClip({
      dataset,
      place,
      chunks,
      signal,
      check: (received, format) =>
        this.#deps.checkClip(received, format, robot, clipFileType(format).raw ? read : AS_STATED),
      isSource: (received) => this.#deps.bundles.isSource(received),
      split: (bundle, folder) => this.#deps.bundles.split(bundle, folder, []),
      inTurn: (work) => this.#deps.changes.run(work, dataset.folder),
      replace: async (replaced, put) => {
        undo = await this.#deps.trash.replace(
          { kind: 'clip', robot: robot.id, name: `${name}/${place.clip}` },
          replaced,
          put,
        );
      },
    });
    for (const received of files) store.touch(name, received);
    const clips = files.map((received) => path.parse(received).name);
    this.#story.uploaded(name, file, { bytes, clips: clips.length, leftOut });
    return { clip: clips[0] ?? place.clip, bytes, clips, undo };
  }

  /** Lists all datasets again without delay; called after uploads. */
  async uploaded(): Promise<DatasetCounts[]> {
    const store = this.#store();
    await store.refresh();
    return store.datasets();
  }

  /** Creates an empty dataset. @throws bad_input for an invalid or taken name */
  async create(name: string): Promise<void> {
    checkName('dataset', name, 'name');
    await this.#store().create(name);
    this.#deps.logger.info(`Dataset ${name} created`);
  }

  /** Starts an import, which is slow.
   *  @returns the name of the busy task  @throws bad_input for a source without clips, or an invalid or taken name */
  async import({ source, name, link = false, read }: BodyOf<typeof importDataset>): Promise<string> {
    const { busy, logger } = this.#deps;
    const store = this.#store();
    if (read) checkReadOptions(read, layoutOf(this.#deps.robot()).jointNames);
    const readers = this.#deps.layouts();
    const place = await checkSource(source, this.#deps.dataFolder);
    const layout = await readers.find(place, read ?? {});
    if (layout) return this.#importLayout(layout, { store, episodes: readers, source: place, name, link });
    const found = await surveySource(source, this.#deps.dataFolder);
    const dataset = name ?? path.basename(found.folder);
    const target = await store.freePlace(dataset);
    return busy.start(
      'import',
      `Importing ${dataset}`,
      `import ${target}`,
      async ({ signal, report, made, outcome }) => {
        const paced = pacedReport(report);
        const leftOut = link
          ? await importLink(found, target, this.#deps.bundles, read)
          : await importCopy(found, target, this.#deps.bundles, { signal, report: paced }, read);
        store.markDirty(target);
        made({ dataset });
        outcome(
          `Dataset ${dataset} ${link ? 'linked' : 'imported'}: ${countText(found.raw.length, 'source clip')}, ${found.npz.length} converted`,
        );
        if (!leftOut || leftOut.length === 0) return;
        const warning = `skipped, because they are links out of the source folder or have invalid names: ${namesText(leftOut)}`;
        logger.warn(`Import of ${dataset}: ${warning}`);
        return warning;
      },
    );
  }

  /** Stores marks of clips in the dataset's `dataset.yaml`. @returns number of marked clips
   *  @throws bad_input for an unknown dataset or clip, or a request that changes nothing; disk_full */
  async mark({ dataset, clips, q, ...change }: BodyOf<typeof markClips>): Promise<number> {
    if (clips && q) throw badInput('q: give either "clips" or "q"');
    if (!clips && !q) throw badInput('clips: give the names of the clips, or "q". A q of "*" marks all clips.');
    if (Object.keys(change).length === 0)
      throw badInput('exclude: give at least one of "exclude", "weight", "tags", "ignore", "add" and "remove"');
    const store = this.#store();
    const place = await store.place(dataset);
    const entries = await store.find(dataset, clips ? { clips } : { q: q ?? '' });
    if (entries.length === 0) return 0;
    await this.#deps.changes.run(async () => {
      await unlessRemoved(`dataset: "${dataset}"`, checkOwn(place, place.folder));
      await changeMarks(place.folder, async (marks) => {
        const slices = new Slices();
        for (const entry of entries) {
          if (slices.due()) await slices.rest();
          setMarks(marks, entry, change);
        }
      });
    }, place.folder);
    store.touch(dataset, path.join(place.folder, DATASET_FILE));
    const [only] = entries;
    const what = entries.length === 1 && only ? `Clip ${only.name}` : countText(entries.length, 'clip');
    this.#deps.logger.info(`${what} of ${dataset} marked: ${markText(change)}`);
    return entries.length;
  }

  /** Imports a dataset layout by writing one raw clip per episode. */
  async #importLayout(layout: DatasetLayout, { store, episodes, source, name, link }: LayoutImport): Promise<string> {
    const { busy, logger } = this.#deps;
    if (link)
      throw badInput(
        `link: the source is a ${layout.title}, whose clips are converted to new files, so it cannot be linked. Import it without "link".`,
      );
    const dataset = name ?? path.basename(source).replace(/\.ya?ml$/i, '');
    const target = await store.freePlace(dataset);
    return busy.start(
      'import',
      `Importing ${dataset}`,
      `import ${target}`,
      async ({ signal, report, made, outcome }) => {
        report(`Recognised a ${layout.title}`, 0);
        const { clips, leftOut } = await importLayout(layout, target, episodes, {
          signal,
          report: pacedReport(report),
        });
        store.markDirty(target);
        made({ dataset });
        const assumed = layout.assumed.length === 0 ? '' : `. Assumed: ${layout.assumed.join('; ')}`;
        outcome(`Dataset ${dataset} imported from a ${layout.title}: ${countText(clips, 'clip')}${assumed}`);
        const skipped = leftOut.length === 0 ? '' : `skipped: ${namesText(leftOut)}`;
        if (skipped) logger.warn(`Import of ${dataset}: ${skipped}`);
        return `${layout.title}: ${countText(clips, 'clip')}${assumed}${skipped && `. S${skipped.slice(1)}`}`;
      },
    );
  }

  /** Starts a measurement of the durations of all clips of a dataset, which is slow. @returns the name of the busy task
   *  @throws bad_input for an unknown dataset */
  async scan(dataset: string): Promise<string> {
    const { busy, hub } = this.#deps;
    const robot = this.#deps.robot();
    const store = this.#deps.store(robot);
    const { folder } = await store.placeToDelete(dataset);
    return busy.start('scan', `Scanning ${dataset}`, `scan ${folder}`, async ({ signal, report, outcome }) => {
      await store.scan(dataset, { signal, report: pacedReport(report) });
      const scan = (await store.datasets()).find(({ name }) => name === dataset)?.scan;
      if (scan) outcome(`Dataset ${dataset} scanned: ${scanText(scan)}`);
      if (this.#deps.robot().id === robot.id) hub.publish('data', { dataset, reason: 'scan' });
    });
  }

  /** Returns the path of a clip's file. @throws bad_input for an unknown clip, or a link that leads out of the
   *  dataset */
  async download({ dataset, clip, source }: QueryOf<typeof downloadClip>): Promise<string> {
    const store = this.#store();
    const { path: file } = await store.resolve(dataset, clip, source ?? 'auto');
    // A link may point to any file of this machine. Such a clip can be played, but its target must not be downloaded.
    const { folder, linked } = await store.place(dataset);
    const [real, ...own] = await unlessRemoved(
      `clip: "${clip}" of dataset "${dataset}"`,
      Promise.all([file, folder, ...(linked ? [linked] : [])].map((entry) => realpath(entry))),
    );
    if (own.some((outer) => isInside(outer, real!))) return file;
    throw badInput(
      `clip: the file of "${clip}" is a link out of the dataset "${dataset}". Copy the file from the place that the link points to.`,
    );
  }

  /** Deletes a dataset. The source of a linked dataset is kept. @returns the token that restores it
   *  @throws conflict while the dataset is in use */
  async deleteDataset(name: string): Promise<string> {
    const robot = this.#deps.robot();
    const store = this.#deps.store(robot);
    const place = await store.placeToDelete(name);
    const undo = await this.#deps.changes.run(async () => {
      this.#deps.uses.refuseDataset(robot.id, name);
      const entries = await unlessRemoved(`dataset: "${name}"`, entriesOfDataset(place));
      const moved = await this.#deps.trash.take({ kind: 'dataset', robot: robot.id, name }, entries);
      await removeIfEmpty(place.folder);
      return moved;
    }, place.folder);
    store.markDirty(place.folder);
    const linked = place.linked === null ? '' : '; the linked folder is kept';
    this.#deps.logger.info(`Dataset ${name} deleted${linked}`);
    return undo;
  }

  /** Deletes a clip. @param withMirror also deletes the mirror image that a conversion created
   *  @returns the token that restores it  @throws conflict while the clip is in use */
  async deleteClip(name: string, clip: string, withMirror: boolean): Promise<string> {
    const robot = this.#deps.robot();
    const store = this.#deps.store(robot);
    const place = await store.place(name);
    const mirror = withMirror ? await store.mirrorOf(name, clip) : null;
    const clips = mirror === null ? [clip] : [clip, mirror];
    const files = await Promise.all(clips.map((one) => store.filesOf(name, one)));
    const undo = await this.#deps.changes.run(async () => {
      this.#deps.uses.refuseClips(robot.id, name, clips);
      const entries: string[] = [];
      for (const [k, one] of clips.entries())
        entries.push(...(await unlessRemoved(`dataset: "${name}"`, entriesOfClip(place, one, files[k]!))));
      const marks = Object.fromEntries(place.linked === null ? await store.marksIn(name, clips) : []);
      const moved = await this.#deps.trash.take(
        { kind: 'clip', robot: robot.id, name: `${name}/${clip}`, marks },
        entries,
      );
      // Delete the marks too, so that a new clip of the same name starts without marks. A linked clip keeps its marks,
      // because its source still exists.
      if (place.linked === null && (await store.hasMarks(name, clips)))
        await changeMarks(place.folder, async (marks) => {
          for (const one of clips) marks.delete(one);
        });
      return moved;
    }, place.folder);
    store.touch(name, path.join(place.folder, DATASET_FILE));
    for (const file of files.flat()) store.touch(name, file);
    for (const one of clips) this.#story.deleted(name, one);
    return undo;
  }

  /** Renames a whole dataset, or a clip together with its npz, recipe, marks and the mirror image from its
   *  conversion.
   *  @returns the token that undoes the rename
   *  @throws bad_input for an unknown or linked clip, or an invalid or taken name; conflict while in use; disk_full */
  async rename(body: BodyOf<typeof renameData>): Promise<string> {
    const { dataset, clip, name } = body;
    const robot = this.#deps.robot();
    await this.renameIn(robot, body);
    const [kind, prefix] = clip === undefined ? (['dataset', ''] as const) : (['clip', `${dataset}/`] as const);
    return this.#deps.trash.noteRename({ kind, robot: robot.id, name: prefix + name }, prefix + (clip ?? dataset));
  }

  /** Renames as {@link rename} does, for any robot, without an undo token. */
  async renameIn(robot: RobotIdentity, { dataset, clip, name }: BodyOf<typeof renameData>): Promise<void> {
    if (clip === undefined) return this.#renameDataset(robot, dataset, name);
    checkName('clip', name, 'name');
    const store = this.#deps.store(robot);
    const place = await store.place(dataset);
    const mirror = await store.mirrorOf(dataset, clip);
    const names = new Map([[clip, name], ...(mirror === null ? [] : [[mirror, name + MIRROR_ENDING] as const])]);
    for (const next of names.values()) checkName('clip', next, 'name');
    const clips = await Promise.all(
      Array.from(names, async ([old, next]) => ({ clip: old, name: next, files: await store.filesOf(dataset, old) })),
    );
    const moves = await this.#deps.changes.run(async () => {
      for (const next of names.values())
        if (await store.hasClip(dataset, next))
          throw badInput(`name: dataset "${dataset}" already has a clip ${quoteName(next)}. Choose another name.`);
      this.#deps.uses.refuseClips(robot.id, dataset, [...names.keys()]);
      let end = async () => {};
      const begin = async (files: readonly RenamedFile[]) => {
        const subject = { kind: 'clip', robot: robot.id, name: `${dataset}/${clip}` } as const;
        end = await this.#deps.trash.noteMoves(subject, files, names);
      };
      try {
        const finish = () => renameInDatasetFile(place.folder, names);
        return await unlessRemoved(
          `clip: "${clip}" of dataset "${dataset}"`,
          renameClips(place, clips, { begin, finish }),
        );
      } finally {
        await end();
      }
    }, place.folder);
    for (const { from, to } of moves) for (const file of [from, to]) store.touch(dataset, file);
    store.touch(dataset, path.join(place.folder, DATASET_FILE));
    this.#deps.logger.info(`Clip ${clip} of ${dataset} renamed to ${name}`);
  }

  async #renameDataset(robot: RobotIdentity, dataset: string, name: string): Promise<void> {
    const store = this.#deps.store(robot);
    const place = await store.placeToDelete(dataset);
    const target = await store.freePlace(name);
    await this.#deps.changes.run(async () => {
      this.#deps.uses.refuseDataset(robot.id, dataset);
      await unlessRemoved(`dataset: "${dataset}"`, renameDataset(place, name));
    }, place.folder);
    store.markDirty(place.folder);
    store.markDirty(target);
    this.#deps.logger.info(`Dataset ${dataset} renamed to ${name}`);
  }

  /** Logs a summary of the log lines that were suppressed. */
  close(): void {
    this.#story.close();
  }

  #store(): DatasetStore {
    return this.#deps.store(this.#deps.robot());
  }
}

/** Removes the folder of a dataset unless it contains other files. */
async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (!['ENOTEMPTY', 'ENOENT', 'ENOTDIR'].includes(error.code ?? '')) throw error;
  });
}

function pacedReport(report: Progress['report']): (message: string, fraction: number) => void {
  let last = 0;
  return (message, fraction) => {
    const now = performance.now();
    if (now - last < REPORT_MS) return;
    last = now;
    report(message, fraction);
  };
}

function markText({ exclude, weight, tags, ignore, add, remove }: MarkChange): string {
  return [
    ...(exclude === undefined ? [] : [exclude ? 'excluded' : 'included']),
    ...(weight === undefined ? [] : [`weight ${weight}`]),
    ...(tags === undefined ? [] : [tags.length === 0 ? 'no tags' : `tags ${tags.join(', ')}`]),
    ...(ignore === undefined ? [] : [countText(ignore.length, 'ignored issue')]),
    ...(remove === undefined ? [] : [`${entriesText(remove)} removed`]),
    ...(add === undefined ? [] : [`${entriesText(add)} added`]),
  ].join(', ');
}

function entriesText({ tags = [], ignore = [] }: MarkEntries): string {
  return [
    ...(tags.length === 0 ? [] : [`tags ${tags.join(', ')}`]),
    ...(ignore.length === 0 ? [] : [countText(ignore.length, 'ignored issue')]),
  ].join(' and ');
}

function scanText({ clips, hours, unreadable }: NonNullable<DatasetCounts['scan']>): string {
  const bad = unreadable.length === 0 ? '' : `; unreadable: ${namesText(unreadable.map(({ clip }) => clip))}`;
  return `${countText(clips, 'clip')}, ${spanText(hours * 3600)} of motion${bad}`;
}
