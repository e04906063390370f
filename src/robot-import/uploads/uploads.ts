import { lstat, mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { badInput, StudioError } from '../../core/errors.ts';
import { createAtomic, inUnseenFolder, moveIntoPlace, removeFolder } from '../../core/files/atomic-file.ts';
import { exists } from '../../core/files/exists.ts';
import { makeFolders } from '../../core/files/make-folders.ts';
import { checkName, quoteName } from '../../core/files/names.ts';
import { resolveInside } from '../../core/files/path-guard.ts';
import { Mutex } from '../../core/mutex.ts';
import { HUMANOID_ID } from '../../robots/humanoid/humanoid.ts';
import { type CopiedFolder, copyFolder } from './copy-folder.ts';
import { checkModelPath } from './model-path.ts';
import { MAX_UPLOAD_BYTES, MAX_UPLOAD_FILES, type UploadSurvey } from './upload-files.ts';

/** Size of an upload, including files that are being received. */
interface Usage {
  files: number;
  bytes: number;
}

/** Uploaded model files: one folder per upload, with the same sub-folders as at the sender. A file appears only once it
 *  is complete; unfinished files are kept outside the uploads, where they are not listed. */
export class Uploads {
  readonly #root: string;
  readonly #survey: (folder: string) => Promise<UploadSurvey | null>;
  readonly #mutex = new Mutex();
  /** usage by upload id. The entry is replaced when an upload is removed, so that files still being received for the
   *  removed upload are refused */
  readonly #usage = new Map<string, Promise<Usage>>();

  /** @param root folder of the uploads, created with the first one  @param survey counts files in another thread */
  constructor(root: string, survey: (folder: string) => Promise<UploadSurvey | null>) {
    this.#root = root;
    this.#survey = survey;
  }

  /** Returns the folder of an upload. @throws bad_input for an unknown upload, naming `field` */
  async folder(id: string, field = 'id'): Promise<string> {
    checkName('robot', id, field);
    const folder = this.#place(id);
    if (!(await isOwnFolder(folder)))
      throw badInput(`${field}: unknown upload ${quoteName(id)}. Upload its files first.`);
    return folder;
  }

  /** Runs `work` on an upload's folder. Errors caused by the removal of the upload are reported as such.
   *  @throws bad_input for an unknown upload, or one that is removed in the meantime */
  async read<T>(id: string, work: (folder: string) => Promise<T>): Promise<T> {
    const folder = await this.folder(id);
    try {
      return await work(folder);
    } catch (error) {
      if (await isOwnFolder(folder)) throw error;
      throw new StudioError('bad_input', `id: the upload ${quoteName(id)} was removed in the meantime`, {
        cause: error,
      });
    }
  }

  /** Whether the upload exists. */
  async has(id: string): Promise<boolean> {
    return isOwnFolder(this.#place(id));
  }

  /** Writes a file into an upload, replacing one with the same path.
   *  @param chunks its bytes; if reading them throws, nothing changes
   *  @throws bad_input for an invalid id or path, too_large, disk_full */
  async receive(id: string, relative: string, chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number> {
    checkUploadId(id);
    checkModelPath(relative);
    await makeFolders(this.#root, 2);
    const counted = this.#usageOf(id);
    const usage = await counted;
    let bytes = 0;
    let kept = false;
    try {
      await inUnseenFolder(this.#root, async (unseen) => {
        const file = await createAtomic(path.join(unseen, 'file'));
        try {
          for await (const chunk of chunks) {
            bytes += chunk.byteLength;
            usage.bytes += chunk.byteLength;
            if (usage.bytes > MAX_UPLOAD_BYTES)
              throw new StudioError('too_large', `path: with ${relative} the upload exceeds its limit of 1 GiB`);
            await file.write(chunk);
          }
          await file.commit();
        } finally {
          await file.discard();
        }
        await this.#mutex.run(async () => {
          signal.throwIfAborted();
          if (this.#usage.get(id) !== counted)
            throw badInput(`id: the upload ${quoteName(id)} was removed in the meantime`);
          const replaced = await this.#settle(id, relative, file.target, usage.files < MAX_UPLOAD_FILES);
          kept = true;
          if (replaced === null) usage.files += 1;
          else usage.bytes -= replaced;
        }, id);
      });
    } finally {
      if (!kept) usage.bytes -= bytes;
    }
    return bytes;
  }

  /** Copies a folder of this machine into an upload, replacing one with the same id.
   *  @throws bad_input, too_large, disk_full */
  async copy(id: string, source: string, signal: AbortSignal): Promise<CopiedFolder> {
    checkUploadId(id);
    await makeFolders(this.#root, 2);
    return inUnseenFolder(this.#root, async (unseen) => {
      const made = path.join(unseen, 'new');
      await mkdir(made);
      const copied = await copyFolder(source, made, path.dirname(this.#root), signal);
      await this.#mutex.run(async () => {
        signal.throwIfAborted();
        const folder = this.#place(id);
        if (await exists(folder)) await rename(folder, path.join(unseen, 'old'));
        await moveIntoPlace(made, folder);
        this.#usage.delete(id);
      }, id);
      return copied;
    });
  }

  /** Removes an upload; files still being received for it are refused. @throws bad_input for an unknown upload */
  async remove(id: string): Promise<void> {
    await this.take(id, (folder) => removeFolder(folder));
  }

  /** Runs `work`, which writes to an upload's folder. Removal of the upload waits until it ends. @throws bad_input for
   *  an unknown upload */
  async change<T>(id: string, work: (folder: string) => Promise<T>): Promise<T> {
    return this.#mutex.run(async () => work(await this.folder(id)), id);
  }

  /** Runs `work`, which moves an upload's folder away. Files of this upload that arrive during or after the move are
   *  refused. */
  async take<T>(id: string, work: (folder: string) => Promise<T>): Promise<T> {
    return this.#mutex.run(async () => {
      const done = await work(await this.folder(id));
      this.#usage.delete(id);
      return done;
    }, id);
  }

  #place(id: string): string {
    return path.join(this.#root, id);
  }

  /** Moves a complete file to its path. @param more whether the upload may contain one more file
   *  @returns size of the replaced file; null if the path was free */
  async #settle(id: string, relative: string, complete: string, more: boolean): Promise<number | null> {
    const folder = this.#place(id);
    await makeFolders(folder, 1);
    if (!(await isOwnFolder(folder)))
      throw badInput(`id: the upload ${quoteName(id)} is a link or a file, which the service does not change`);
    const target = await resolveInside(folder, relative);
    const there = await lstat(target).catch(() => null);
    if (!there && !more)
      throw new StudioError('too_large', `path: an upload may have at most ${MAX_UPLOAD_FILES} files`);
    if (there?.isDirectory()) throw badInput(`path: ${quoteName(relative)} is a folder of the upload`);
    await makeFolders(path.dirname(target), relative.split('/').length);
    await moveIntoPlace(complete, target);
    return there?.isFile() ? there.size : null;
  }

  #usageOf(id: string): Promise<Usage> {
    let usage = this.#usage.get(id);
    if (!usage) {
      usage = this.#count(id);
      usage.catch(() => this.#usage.delete(id)); // the next call will count the files again
      this.#usage.set(id, usage);
    }
    return usage;
  }

  async #count(id: string): Promise<Usage> {
    const folder = this.#place(id);
    const survey = (await exists(folder)) ? await this.#survey(folder) : null;
    return { files: survey?.files ?? 0, bytes: survey?.bytes ?? 0 };
  }
}

/** Checks the id of an upload. @throws bad_input for an invalid id, and for the id of the built-in robot */
export function checkUploadId(id: string, field = 'id'): void {
  checkName('robot', id, field);
  if (id === HUMANOID_ID) throw badInput(`${field}: "${id}" is the built-in robot. Choose another id.`);
}

async function isOwnFolder(folder: string): Promise<boolean> {
  return (await lstat(folder).catch(() => null))?.isDirectory() === true;
}
