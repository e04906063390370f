import type { Stats } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { badInput, messageOf } from '../core/errors.ts';
import { writeAtomic } from '../core/files/atomic-file.ts';
import { makeFolders } from '../core/files/make-folders.ts';
import { type NameKind, nameProblem, quoteName } from '../core/files/names.ts';
import { Mutex } from '../core/mutex.ts';
import { readYaml, type YamlText } from '../core/yaml-file.ts';

const ENDING = '.yaml';
/** Maximum size of a file, bytes. Larger files are refused. */
const MAX_TEXT = 1 << 20;

/** A file as found on disk. */
export interface ConfigEntry<T> {
  readonly name: string;
  /** null if the file cannot be read */
  readonly value: T | null;
  readonly error: string | null;
  /** parsed YAML, which gives the line numbers of errors; null if the file cannot be read */
  readonly yaml: YamlText | null;
  /** text of the file; empty if it cannot be shown */
  readonly text: string;
}

interface Known<T> extends ConfigEntry<T> {
  /** changes when the file changes */
  readonly identity: string;
}

export interface ConfigFilesOptions<T> {
  readonly folder: string;
  readonly kind: Extract<NameKind, 'preset' | 'module'>;
  /** Reads the value of a file. @throws bad_input naming line and field */
  read(name: string, yaml: YamlText): T;
  format(value: T): string;
  /** Called when another program changed, added or deleted a file. */
  onForeignChange(name: string, reason: 'changed' | 'deleted'): void;
}

/** The YAML files of one folder, kept in memory and current with the disk. A file that cannot be read stays listed with
 *  its error. The files are few and small, because people write them. */
export class ConfigFiles<T extends { readonly name: string }> {
  readonly #options: ConfigFilesOptions<T>;
  readonly #mutex = new Mutex();
  #known: ReadonlyMap<string, Known<T>> = new Map();
  #isLoaded = false;

  constructor(options: ConfigFilesOptions<T>) {
    this.#options = options;
  }

  /** The files by name, sorted. The same map until a file changes. */
  get entries(): ReadonlyMap<string, ConfigEntry<T>> {
    return this.#known;
  }

  /** The values of the readable files. */
  get values(): ReadonlyMap<string, T> {
    return new Map([...this.#known].flatMap(([name, { value }]) => (value ? [[name, value]] : [])));
  }

  /** Updates the entries from the disk; unchanged files are not read again. */
  refresh(): Promise<void> {
    return this.#mutex.run(async () => {
      const found = new Map<string, Known<T>>();
      for (const name of await this.#names()) {
        const entry = await this.#look(name);
        if (entry) found.set(name, entry);
      }
      const before = this.#known;
      const isSame = found.size === before.size && [...found].every(([name, entry]) => before.get(name) === entry);
      // The same map until a file changes, so that callers can cache what they compute from it.
      if (!isSame) this.#known = found;
      if (!isSame && this.#isLoaded) this.#tell(before);
      this.#isLoaded = true;
    });
  }

  /** Returns the path of a file. */
  pathOf(name: string): string {
    return path.join(this.#options.folder, name + ENDING);
  }

  /** Writes a file. @throws disk_full */
  write(value: T): Promise<void> {
    return this.#mutex.run(async () => {
      const { folder, format } = this.#options;
      await makeFolders(folder, 3);
      await writeAtomic(this.pathOf(value.name), format(value));
      await this.#lookAgain(value.name);
    });
  }

  /** Lets `work` change a file, then reads the file again. @returns what `work` returns */
  change<R>(name: string, work: () => Promise<R>): Promise<R> {
    return this.#mutex.run(async () => {
      const done = await work();
      await this.#lookAgain(name);
      return done;
    });
  }

  /** Deletes a file. @param name one of `entries`  @param discard moves the file away  @returns what it returns */
  remove<R>(name: string, discard: (file: string) => Promise<R>): Promise<R> {
    return this.#mutex.run(async () => {
      if (!this.#known.has(name)) throw badInput(`name: the ${this.#options.kind} ${quoteName(name)} no longer exists`);
      const done = await discard(this.pathOf(name));
      this.#known = sorted([...this.#known.values()].filter((entry) => entry.name !== name));
      return done;
    });
  }

  async #lookAgain(name: string): Promise<void> {
    const entry = await this.#look(name);
    const others = [...this.#known.values()].filter((other) => other.name !== name);
    this.#known = sorted(entry ? [...others, entry] : others);
  }

  async #names(): Promise<string[]> {
    const files = await readdir(this.#options.folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
      throw error;
    });
    return files
      .filter((file) => file.endsWith(ENDING) && !file.startsWith('.'))
      .map((file) => file.slice(0, -ENDING.length))
      .sort(byName);
  }

  /** Returns the entry of a file: the known entry if the file is unchanged; null for anything but a regular file. */
  async #look(name: string): Promise<Known<T> | null> {
    const unread = { name, value: null, yaml: null, text: '' };
    let stats: Stats;
    try {
      stats = await stat(this.pathOf(name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      return { ...unread, error: messageOf(error), identity: 'unreadable' };
    }
    if (!stats.isFile()) return null;
    const identity = [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join();
    const known = this.#known.get(name);
    if (known?.identity === identity) return known;
    const { kind, read } = this.#options;
    const problem = nameProblem(kind, name);
    if (problem !== null) return { ...unread, error: `${quoteName(name)} ${problem}`, identity };
    let text = '';
    try {
      if (stats.size <= MAX_TEXT) text = await readFile(this.pathOf(name), 'utf8');
      const yaml = await readYaml(this.pathOf(name), name + ENDING);
      return { name, value: read(name, yaml), yaml, text, error: null, identity };
    } catch (error) {
      return { ...unread, text, error: messageOf(error), identity };
    }
  }

  #tell(before: ReadonlyMap<string, Known<T>>): void {
    const { onForeignChange } = this.#options;
    for (const [name, { identity }] of this.#known)
      if (before.get(name)?.identity !== identity) onForeignChange(name, 'changed');
    for (const name of before.keys()) if (!this.#known.has(name)) onForeignChange(name, 'deleted');
  }
}

function sorted<T>(entries: readonly Known<T>[]): ReadonlyMap<string, Known<T>> {
  return new Map([...entries].sort((a, b) => byName(a.name, b.name)).map((entry) => [entry.name, entry]));
}

function byName(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true }) || (a < b ? -1 : 1);
}
