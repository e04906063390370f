import { messageOf } from '../../core/errors.ts';
import { countText } from '../../core/log/format-numbers.ts';
import type { Logger } from '../../core/logger.ts';
import type { ReplyOf } from '../../protocol/route.ts';
import type { listTrash } from '../../protocol/routes/trash.ts';
import type { TrashKind } from '../../protocol/schemas/trash.ts';
import type { RenamedFile } from '../../trash/trash-record.ts';
import type { StoredItem, Subject, TrashStore } from '../../trash/trash-store.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Restores an item: calls `put` while nothing else changes the same files, and updates the listings afterwards. A
 *  rename is renamed back instead. @returns the result of `put`: the item of the replaced version */
export type Restorer = (item: StoredItem, put: () => Promise<string | null>) => Promise<string | null>;

export interface TrashDeps {
  readonly store: TrashStore;
  /** age at which items are deleted permanently, days */
  readonly days: number;
  readonly logger: Logger;
  /** Sums sizes of files and folders, bytes, on another thread. */
  bytes(entries: readonly string[]): Promise<number>;
}

/** Keeps deleted, replaced and renamed items, and undoes these actions. */
export class Trash {
  readonly #deps: TrashDeps;
  readonly #restorers = new Map<TrashKind, Restorer>();
  readonly #bytes = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  readonly #ready: Promise<void>;

  constructor(deps: TrashDeps) {
    this.#deps = deps;
    this.#ready = deps.store
      .recover()
      .then(() => this.#expire())
      .catch((error: unknown) => deps.logger.warn({ err: error }, `the trash could not be read: ${messageOf(error)}`));
    this.#timer = setInterval(() => void this.#expire(), DAY_MS).unref();
  }

  /** Settles when actions that a killed service left unfinished are finished. */
  get ready(): Promise<void> {
    return this.#ready;
  }

  /** Registers the function that restores items of a kind. */
  connect(kind: TrashKind, restorer: Restorer): void {
    this.#restorers.set(kind, restorer);
  }

  /** See {@link TrashStore.take}. */
  take(subject: Subject, places: readonly string[]): Promise<string> {
    return this.#deps.store.take(subject, places);
  }

  /** See {@link TrashStore.replace}. */
  replace(subject: Subject, files: readonly string[], put: () => Promise<void>): Promise<string | null> {
    return this.#deps.store.replace(subject, files, put);
  }

  /** Moves a replaced file to the trash, see {@link TrashStore.takeReplaced}. */
  takeReplaced(subject: Subject, place: string, lies: string): Promise<string> {
    return this.#deps.store.takeReplaced(subject, place, lies);
  }

  /** See {@link TrashStore.noteRename}. */
  noteRename(subject: Subject, was: string): Promise<string> {
    return this.#deps.store.noteRename(subject, was);
  }

  /** As {@link TrashStore.noteMoves}. */
  noteMoves(
    subject: Subject,
    moves: readonly RenamedFile[],
    names: ReadonlyMap<string, string>,
  ): Promise<() => Promise<void>> {
    return this.#deps.store.noteMoves(subject, moves, names);
  }

  /** Undoes a deletion, a replacement or a rename. @returns the token that undoes the undo of a replacement
   *  @throws bad_input if the item is no longer in the trash, conflict if its name is taken */
  async undo(undo: string): Promise<string | null> {
    const { store, logger } = this.#deps;
    const item = store.find(undo);
    const put = () => (item.action === 'rename' ? store.discard(undo).then(() => null) : store.putBack(undo));
    const redo = await this.#restorers.get(item.kind)!(item, put);
    this.#bytes.delete(undo);
    logger.info(`${undoneText(item)}`);
    return redo;
  }

  async list(): Promise<ReplyOf<typeof listTrash>> {
    const stored = this.#deps.store.list().filter((item) => item.action !== 'rename');
    const items = await Promise.all(
      stored.map(async (item) => {
        const { undo, kind, action, robot, name, deleted } = item;
        return {
          undo,
          kind,
          action: action as 'delete' | 'replace',
          robot,
          name,
          bytes: await this.#sizeOf(item),
          deleted,
        };
      }),
    );
    return { items, days: this.#deps.days };
  }

  /** Deletes one item, or all items, permanently. @returns number of deleted items @throws bad_input for an unknown
   *  item */
  async empty(undo: string | undefined): Promise<number> {
    const { store, logger } = this.#deps;
    const items = undo === undefined ? store.list() : [store.find(undo)];
    for (const item of items) await this.#discard(item);
    const shown = items.filter(({ action }) => action !== 'rename').length;
    if (shown > 0) logger.info(`Trash: ${countText(shown, 'item')} deleted permanently`);
    return shown;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Deletes items that are older than the configured age. */
  async #expire(): Promise<void> {
    const { store, days, logger } = this.#deps;
    const before = Date.now() - days * DAY_MS;
    const old = store.list().filter(({ deleted }) => Date.parse(deleted) < before);
    for (const item of old)
      await this.#discard(item).catch((error: unknown) =>
        logger.warn({ err: error }, `trash: ${item.name} was not removed: ${messageOf(error)}`),
      );
    if (old.length > 0)
      logger.info(`Trash: ${countText(old.length, 'item')} older than ${days} days deleted permanently`);
  }

  async #discard({ undo }: StoredItem): Promise<void> {
    this.#bytes.delete(undo);
    await this.#deps.store.discard(undo);
  }

  async #sizeOf(item: StoredItem): Promise<number> {
    const known = this.#bytes.get(item.undo);
    if (known !== undefined) return known;
    const bytes = await this.#deps.bytes(this.#deps.store.filesOf(item));
    this.#bytes.set(item.undo, bytes);
    return bytes;
  }
}

function undoneText({ kind, action, name, was }: StoredItem): string {
  const what = `${kind[0]!.toUpperCase()}${kind.slice(1)} ${name}`;
  if (action === 'rename') return `${what} renamed back to ${was ?? ''}`;
  return action === 'delete' ? `${what} restored from the trash` : `Previous version of ${kind} ${name} restored`;
}
