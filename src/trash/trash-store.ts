import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { badInput, StudioError } from '../core/errors.ts';
import { fileError, hideFolder, sweepTemps, writeAtomic } from '../core/files/atomic-file.ts';
import { exists } from '../core/files/exists.ts';
import { makeFolders } from '../core/files/make-folders.ts';
import { quoteName } from '../core/files/names.ts';
import { resolveInside } from '../core/files/path-guard.ts';
import { readRegularFile } from '../core/files/read-regular-file.ts';
import { removeTree } from '../core/files/remove-tree.ts';
import { isRemoved } from '../core/files/removed.ts';
import { Mutex } from '../core/mutex.ts';
import { identityOf, keepCopy, moveAside, moveAway, moveBack, taken } from './move-entry.ts';
import {
  datasetOf,
  isItemId,
  MAX_RECORD_BYTES,
  MISSING_LEVELS,
  parseRecord,
  placeIn,
  RECORD_FILE,
  type RenamedFile,
  type TrashEntry,
  type TrashRecord,
} from './trash-record.ts';

/** Number of items that are read at the same time. */
const AT_ONCE = 32;

/** Describes what is moved to the trash. */
export type Subject = Pick<TrashRecord, 'kind' | 'robot' | 'name' | 'marks'>;

/** An item of the trash: its record and its id. */
export interface StoredItem extends TrashRecord {
  readonly undo: string;
}

export interface TrashStoreOptions {
  /** the folder of the workspace */
  readonly root: string;
  /** Moves the marks of renamed clips to their new names. Does nothing for marks that were moved already.
   *  @param folder folder of the dataset  @param names map from the former to the new names */
  readonly renameMarks: (folder: string, names: ReadonlyMap<string, string>) => Promise<void>;
  /** Gives restored clips their marks. Does nothing for marks that were given already.
   *  @param folder folder of the dataset  @param marks entries of `dataset.yaml` by clip */
  readonly addMarks: (folder: string, marks: Readonly<Record<string, unknown>>) => Promise<void>;
  /** Called with errors of work in the background. */
  readonly onError: (error: unknown) => void;
}

/** The trash of a workspace: `.trash/<id>/`, each with a record and the moved files, named by their number. The record
 *  is written before the first file is moved. If the service is killed, each file is therefore either in its original
 *  place or in an item, and `recover` completes the action. */
export class TrashStore {
  readonly #root: string;
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;
  readonly #renameMarks: TrashStoreOptions['renameMarks'];
  readonly #addMarks: TrashStoreOptions['addMarks'];
  readonly #items = new Map<string, StoredItem>();
  /** runs work on the same item one after another */
  readonly #turns = new Mutex();

  constructor({ root, renameMarks, addMarks, onError }: TrashStoreOptions) {
    this.#renameMarks = renameMarks;
    this.#addMarks = addMarks;
    this.#root = root;
    this.#folder = path.join(root, '.trash');
    this.#onError = onError;
  }

  /** All items, newest first. */
  list(): StoredItem[] {
    return [...this.#items.values()].sort((a, b) => (a.deleted < b.deleted ? 1 : a.deleted > b.deleted ? -1 : 0));
  }

  /** Returns an item. @throws bad_input if it is no longer in the trash */
  find(undo: string): StoredItem {
    const item = this.#items.get(undo);
    if (item) return item;
    throw gone(undo);
  }

  /** Returns the absolute paths of an item's files in the trash. */
  filesOf(item: StoredItem): string[] {
    return item.entries.flatMap((entry) => (entry.absent ? [] : [this.#lies(item.undo, entry)]));
  }

  /** Moves files, links and folders to the trash. @param places absolute paths; missing ones are skipped
   *  @returns the id of the item  @throws bad_input if nothing could be moved; disk_full */
  async take(subject: Subject, places: readonly string[]): Promise<string> {
    const item = await this.#begin(
      subject,
      'delete',
      places.map((place, at) => ({ from: placeIn(this.#root, place), at })),
    );
    let now = item;
    try {
      for (const entry of item.entries) now = await this.#moveIn(now, entry.at);
    } catch (error) {
      await this.#rollBack(now);
      throw error;
    }
    if (now.entries.length === 0) {
      await this.#drop(item.undo);
      throw badInput(`${subject.kind}: ${quoteName(subject.name)} was removed in the meantime`);
    }
    await this.#settle(now, now !== item);
    return item.undo;
  }

  /** Keeps the current versions of files while `put` replaces them. @param files absolute paths; missing files are
   *  recorded as absent @returns the id of the item; null if none of the files existed @throws what `put` throws */
  async replace(subject: Subject, files: readonly string[], put: () => Promise<void>): Promise<string | null> {
    const here = await Promise.all(files.map((file) => exists(file)));
    if (!here.includes(true)) {
      await put();
      return null;
    }
    const entries = files.map((file, at) => ({
      from: placeIn(this.#root, file),
      at,
      ...(here[at] ? {} : { absent: true }),
    }));
    const item = await this.#begin(subject, 'replace', entries);
    try {
      for (const entry of item.entries)
        if (!entry.absent && !(await keepCopy(this.#placeOf(entry), this.#lies(item.undo, entry))))
          throw badInput(`${subject.kind}: ${quoteName(subject.name)} was removed in the meantime`);
      await put();
    } catch (error) {
      await this.#drop(item.undo);
      throw error;
    }
    await this.#settle(await this.#withAfter(item), true);
    return item.undo;
  }

  /** Moves the previous version of something that was already replaced to the trash. @param place its original path
   *  @param lies its current path, in the same folder */
  async takeReplaced(subject: Subject, place: string, lies: string): Promise<string> {
    const item = await this.#begin(subject, 'replace', [{ from: placeIn(this.#root, place), at: 0 }]);
    await this.#settle(await this.#withAfter(await this.#moveIn(item, 0, lies)), true);
    return item.undo;
  }

  /** Records a rename. @returns the id of an item without files */
  async noteRename(subject: Subject, was: string): Promise<string> {
    const item = await this.#begin({ ...subject, marks: {} }, 'rename', [], { was });
    await this.#settle(item, false);
    return item.undo;
  }

  /** Notes which files a rename of clips will move. If the service is killed between two of them, `recover` moves them
   *  back; if it is killed after the last one, `recover` moves the marks, too.
   *  @param moves absolute paths; each file stays in its folder  @param names map from the former to the new names
   *  @returns a function that ends the note  @throws disk_full */
  async noteMoves(
    subject: Subject,
    moves: readonly RenamedFile[],
    names: ReadonlyMap<string, string>,
  ): Promise<() => Promise<void>> {
    const inside = moves.map(({ from, to }) => ({ from: placeIn(this.#root, from), to: placeIn(this.#root, to) }));
    const { undo } = await this.#begin(subject, 'rename', [], { moves: inside, names: Object.fromEntries(names) });
    return () => this.#drop(undo);
  }

  /** Restores the files of an item, and the marks of a clip. The content that replaced them goes to the trash. @returns
   *  the id of the item with the replaced content; null if there was none @throws conflict if a path is taken in the
   *  meantime; bad_input if the item is no longer in the trash */
  putBack(undo: string): Promise<string | null> {
    return this.#turns.run(async () => {
      const item = this.find(undo);
      const present = await this.#checkPlaces(item);
      let redo = present.includes(true) ? await this.#begin(item, 'replace', redoEntries(item, present)) : null;
      const done: (() => Promise<void>)[] = [];
      try {
        for (const [k, entry] of item.entries.entries()) {
          if (redo && present[k]) redo = await this.#moveToRedo(redo, k, done); // entry k of both items refers to the same path
          if (!entry.absent) await this.#moveEntryBack(item, entry, done);
        }
        await this.#restoreMarks(item);
      } catch (error) {
        for (const revert of done.reverse()) await revert();
        if (redo) await this.#drop(redo.undo);
        throw error;
      }
      if (redo) await this.#settle(await this.#withAfter(redo), true);
      await this.#drop(undo);
      return redo?.undo ?? null;
    }, undo);
  }

  /** Deletes an item permanently. Its files disappear immediately and are deleted in the background. */
  discard(undo: string): Promise<void> {
    return this.#turns.run(async () => {
      this.find(undo);
      await this.#drop(undo);
    }, undo);
  }

  /** Reads all items from the disk and completes actions that a killed service left unfinished. Call it once, before
   *  the first change. Damaged records and folders with other names are not touched. */
  async recover(): Promise<void> {
    const names = await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (isRemoved(error)) return [];
      throw error;
    });
    const ids = names.filter(isItemId);
    for (let k = 0; k < ids.length; k += AT_ONCE) {
      // One damaged item must not hide the others.
      const batch = ids.slice(k, k + AT_ONCE).map((undo) => this.#recoverItem(undo).catch(this.#onError));
      await Promise.all(batch);
    }
    await sweepTemps(this.#folder);
  }

  async #recoverItem(undo: string): Promise<void> {
    const text = await readRegularFile(path.join(this.#folder, undo, RECORD_FILE), MAX_RECORD_BYTES).catch(
      (error: NodeJS.ErrnoException) => {
        if (isRemoved(error)) return null;
        throw error;
      },
    );
    // A folder without a record contains nothing, because the record is written before anything is moved.
    if (text === null) return removeTree(path.join(this.#folder, undo));
    const record = parseRecord(text.toString('utf8'));
    if (record === null) throw new Error(`${placeIn(this.#root, this.#folder)}/${undo}/${RECORD_FILE} is damaged`);
    const item = { ...record, undo };
    if (item.moves) return this.#recoverRename(item);
    const isThere = await Promise.all(item.entries.map((entry) => this.#isThere(undo, entry)));
    const isWhole = item.entries.every((entry, k) => entry.absent || isThere[k]);
    if (item.action === 'rename' || (item.action === 'delete' && isWhole)) this.#items.set(undo, item);
    else if (item.action === 'delete') {
      // The service was killed while it moved files in, when the marks still exist, or back, when they may be missing.
      // The files are more important than their marks.
      const isFree = await Promise.all(
        item.entries.map(async (entry, k) => !isThere[k] || !(await exists(this.#placeOf(entry)))),
      );
      if (!isFree.includes(false)) await this.#restoreMarks(item).catch(this.#onError);
      await this.#rollBack(item);
    } else
      await this.#recoverReplaced({ ...item, entries: item.entries.filter((entry, k) => entry.absent || isThere[k]) });
  }

  async #restoreMarks({ kind, marks, entries }: StoredItem): Promise<void> {
    const [first] = entries;
    if (kind !== 'clip' || marks === undefined || first === undefined) return;
    await this.#checkFolder(first);
    const folder = path.join(this.#root, datasetOf(first.from));
    if (await exists(folder)) await this.#addMarks(folder, marks);
  }

  /** Takes an unfinished rename back, or finishes it if its files have all moved. */
  async #recoverRename({ undo, moves = [], names = {} }: StoredItem): Promise<void> {
    const moved: RenamedFile[] = [];
    for (const { from, to } of moves) {
      await this.#checkFolder({ from });
      const [now, before] = [path.join(this.#root, to), path.join(this.#root, from)];
      if ((await exists(now)) && !(await exists(before))) moved.push({ from: before, to: now });
    }
    if (moved.length < moves.length) for (const { from, to } of moved) await moveBack(to, from, 'the former name');
    else if (moves[0])
      await this.#renameMarks(path.join(this.#root, datasetOf(moves[0].from)), new Map(Object.entries(names)));
    await this.#drop(undo);
  }

  /** Completes a replacement. Files that were moved away and not replaced are moved back. */
  async #recoverReplaced(item: StoredItem): Promise<void> {
    let replaced = false;
    for (const entry of item.entries) {
      const now = await identityOf(this.#placeOf(entry));
      const lies = entry.absent ? null : await identityOf(this.#lies(item.undo, entry));
      if (entry.after !== undefined || (now !== null && now !== lies)) replaced = true;
      else if (now === null && lies !== null) await this.#moveEntryBack(item, entry, []);
    }
    if (replaced && item.entries.some((entry) => !entry.absent)) this.#items.set(item.undo, item);
    else await this.#drop(item.undo);
  }

  async #isThere(undo: string, entry: TrashEntry): Promise<boolean> {
    return !entry.absent && (await exists(this.#lies(undo, entry)));
  }

  #placeOf({ from }: TrashEntry): string {
    return path.join(this.#root, from);
  }

  /** Creates the folder and the record of an item. */
  async #begin(
    subject: Subject,
    action: TrashRecord['action'],
    entries: TrashEntry[],
    more: Pick<TrashRecord, 'was' | 'moves' | 'names'> = {},
  ) {
    const { kind, robot, name, marks } = subject;
    const undo = `${Date.now().toString(36)}-${randomBytes(6).toString('hex')}`;
    const item: StoredItem = {
      undo,
      version: 1,
      ...{ kind, action, robot, name, deleted: new Date().toISOString(), entries },
      ...more,
      ...(marks === undefined || Object.keys(marks).length === 0 ? {} : { marks }),
    };
    try {
      await makeFolders(this.#folder, 1);
      await mkdir(path.join(this.#folder, undo));
      await this.#write(item);
    } catch (error) {
      throw fileError(error);
    }
    return item;
  }

  #write({ undo, ...record }: StoredItem): Promise<void> {
    return writeAtomic(path.join(this.#folder, undo, RECORD_FILE), `${JSON.stringify(record)}\n`);
  }

  /** Adds a complete item to the list. @param changed whether the record differs from the written one */
  async #settle(item: StoredItem, changed: boolean): Promise<void> {
    if (changed) await this.#write(item);
    this.#items.set(item.undo, item);
  }

  /** Moves one entry into the trash. @param lies current path of the entry, if it is not at its original path @returns
   *  the item with the moved entry; without the entry if it is missing */
  async #moveIn(item: StoredItem, at: number, lies?: string): Promise<StoredItem> {
    const entry = item.entries.find((one) => one.at === at)!;
    const others = item.entries.filter((one) => one !== entry);
    const how = await moveAway(lies ?? this.#placeOf(entry), this.#lies(item.undo, entry));
    if (how === 'moved') return item;
    if (how === 'missing') return { ...item, entries: others };
    const beside = { ...entry, beside: true };
    const kept = { ...item, entries: [...others, beside] };
    await this.#write(kept);
    const moved = await moveAside(lies ?? this.#placeOf(entry), this.#lies(item.undo, beside));
    return moved ? kept : { ...item, entries: others };
  }

  /** Returns the path of an entry while it is in the trash. */
  #lies(undo: string, { from, at, beside }: TrashEntry): string {
    if (!beside) return path.join(this.#folder, undo, String(at));
    return path.join(this.#root, path.dirname(from), `.trashed-${undo}-${at}`);
  }

  /** Restores the files of a deletion that was not completed. Files whose paths are taken stay in the item. */
  async #rollBack(item: StoredItem): Promise<void> {
    const kept: TrashEntry[] = [];
    for (const entry of item.entries) {
      if (!(await this.#isThere(item.undo, entry))) continue;
      if (await exists(this.#placeOf(entry))) kept.push(entry);
      else await this.#moveEntryBack(item, entry, []);
    }
    if (kept.length === 0) await this.#drop(item.undo);
    else await this.#settle({ ...item, entries: kept }, true);
  }

  /** Records the identity of the current content at the paths of an item. */
  async #withAfter(item: StoredItem): Promise<StoredItem> {
    const entries = await Promise.all(
      item.entries.map(async (entry) => ({ ...entry, after: await identityOf(this.#placeOf(entry)) })),
    );
    return { ...item, entries };
  }

  /** Checks that an item can be restored. @returns for each entry whether something exists at its path */
  async #checkPlaces({ undo, kind, name, action, entries }: StoredItem): Promise<boolean[]> {
    const subject = `the ${kind} ${quoteName(name)}`;
    const present: boolean[] = [];
    for (const entry of entries) {
      await this.#checkFolder(entry);
      const now = await identityOf(this.#placeOf(entry));
      if (now !== null && action === 'delete') throw taken(subject);
      if (now !== null && entry.after !== undefined && entry.after !== now)
        throw new StudioError('conflict', `undo: ${subject} has changed since then. Undo that change first.`);
      if (!entry.absent && !(await this.#isThere(undo, entry))) throw gone(undo);
      present.push(now !== null);
    }
    return present;
  }

  /** Refuses to restore an entry through a link that leads out of the workspace's folders, because the records of a
   *  workspace may come from an untrusted source. */
  async #checkFolder({ from }: Pick<TrashEntry, 'from'>): Promise<void> {
    const [top = '', ...below] = from.split('/');
    if (below.length > 1) await resolveInside(path.join(this.#root, top), below.slice(0, -1).join('/'), 'undo');
  }

  async #moveToRedo(redo: StoredItem, at: number, done: (() => Promise<void>)[]): Promise<StoredItem> {
    const moved = await this.#moveIn(redo, at);
    const entry = moved.entries.find((one) => one.at === at);
    if (entry) done.push(() => rename(this.#lies(redo.undo, entry), this.#placeOf(entry)));
    return moved;
  }

  async #moveEntryBack(item: StoredItem, entry: TrashEntry, done: (() => Promise<void>)[]): Promise<void> {
    const { undo, kind, name } = item;
    const place = this.#placeOf(entry);
    const lies = this.#lies(undo, entry);
    if (kind === 'clip' && !(await exists(path.join(this.#root, datasetOf(entry.from)))))
      throw badInput(`undo: the dataset of the clip ${quoteName(name)} does not exist. Restore or create it first.`);
    try {
      await makeFolders(path.dirname(place), MISSING_LEVELS[kind]);
    } catch (error) {
      throw fileError(error);
    }
    const what = `the ${kind} ${quoteName(name)}`;
    await moveBack(lies, place, what);
    done.push(() => moveBack(place, lies, what));
  }

  /** Deletes an item with its files. */
  async #drop(undo: string): Promise<void> {
    const item = this.#items.get(undo);
    this.#items.delete(undo);
    const beside = item?.entries.flatMap((entry) => (entry.beside ? [this.#lies(undo, entry)] : [])) ?? [];
    for (const file of beside) removeTree(file).catch(this.#onError);
    const hidden = await hideFolder(path.join(this.#folder, undo)).catch((error: unknown) => {
      if (isRemoved(error)) return null;
      throw error;
    });
    if (hidden !== null) removeTree(hidden).catch(this.#onError);
  }
}

function redoEntries({ entries }: StoredItem, present: readonly boolean[]): TrashEntry[] {
  return entries.map(({ from }, at) => (present[at] ? { from, at } : { from, at, absent: true }));
}

function gone(undo: string): StudioError {
  return badInput(
    `undo: ${quoteName(undo)} is not in the trash: it was restored, deleted permanently, or is older than trash.days`,
  );
}
