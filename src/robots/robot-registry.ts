import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { badInput, messageOf } from '../core/errors.ts';
import { checkName, nameProblem } from '../core/files/names.ts';
import { Mutex } from '../core/mutex.ts';
import { isKept, type PreparedRobot } from './prepared-robot.ts';
import { BUILTIN, type RobotSource } from './robot-source.ts';
import { SPEC_FILE } from './robot-spec-file.ts';

/** A robot of the registry. */
export interface RobotEntry {
  readonly id: string;
  readonly source: RobotSource;
  /** null until it has been compiled, and if it does not compile */
  readonly prepared: PreparedRobot | null;
  readonly error: string | null;
}

/** Time without changes after which a robot is compiled, ms, because its files arrive one by one. */
const QUIET_MS = 500;

type Prepare = (source: RobotSource) => Promise<PreparedRobot>;
type Find = (source: RobotSource) => Promise<PreparedRobot | null>;

/** The robots of a workspace: the built-in robot and every folder with a robot.yaml, kept up to date with the disk.
 *  Robots are compiled one after the other in the background. A robot that does not compile is listed with its
 *  error. */
export class RobotRegistry {
  readonly #folder: string;
  readonly #prepare: Prepare;
  readonly #find: Find;
  readonly #onChange: (id: string) => Promise<void>;
  readonly #entries = new Map<string, RobotEntry>();
  readonly #compiling = new Map<string, Promise<PreparedRobot>>();
  readonly #touched = new Map<string, NodeJS.Timeout>();
  /** Held while the folder is read, and while a robot's folder is replaced. */
  readonly #folderLock = new Mutex();
  #queue: Promise<void> = Promise.resolve();

  /** @param folder `<workspace>/robots`
   *  @param onChange runs when a robot was added, removed or compiled again; resolves once handled, never rejects
   *  @param find searches the cache only; used before a thread is started to compile in the background */
  constructor(folder: string, prepare: Prepare, onChange: (id: string) => Promise<void>, find: Find) {
    this.#folder = folder;
    this.#prepare = prepare;
    this.#find = find;
    this.#onChange = onChange;
    this.#entries.set(BUILTIN.id, { id: BUILTIN.id, source: BUILTIN, prepared: null, error: null });
  }

  /** In natural order, the built-in robot first. */
  list(): RobotEntry[] {
    const builtin = this.#entries.get(BUILTIN.id)!;
    const others = [...this.#entries.values()].filter((entry) => entry !== builtin);
    return [builtin, ...others.sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }))];
  }

  /** Finds a robot by its id, otherwise by its name. @throws StudioError bad_input for an unknown robot */
  find(idOrName: string): RobotEntry {
    const entry = this.#entries.get(idOrName) ?? this.list().find((other) => other.prepared?.facts.name === idOrName);
    if (entry) return entry;
    const known = this.list().map((other) => other.id);
    throw badInput(`name: unknown robot ${JSON.stringify(idOrName)}. Choose one of ${known.join(', ')}.`);
  }

  /** Finds a robot that can be used. @throws StudioError bad_input for an unknown robot, or an invalid folder name */
  choose(idOrName: string): RobotEntry {
    const entry = this.find(idOrName);
    checkName('robot', entry.id, 'name');
    return entry;
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** Updates the list from disk and compiles new robots in the background. */
  refresh(): Promise<void> {
    return this.#folderLock.run(() => this.#read());
  }

  /** Runs `work`, which replaces a robot's folder. The list is not read meanwhile: for a moment the folder does not
   *  exist, and the robot would leave the list and the scene. `work` must not call {@link refresh}. */
  replacing<T>(work: () => Promise<T>): Promise<T> {
    return this.#folderLock.run(work);
  }

  async #read(): Promise<void> {
    const names = await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const found = new Set<string>([BUILTIN.id]);
    for (const id of names) {
      if (id.startsWith('.') || id === BUILTIN.id) continue;
      const folder = path.join(this.#folder, id);
      const isRobot = await stat(path.join(folder, SPEC_FILE)).then(
        (file) => file.isFile(),
        () => false,
      );
      if (!isRobot) continue;
      found.add(id);
      if (!this.#entries.has(id)) this.#add(id, { kind: 'folder', id, folder });
    }
    for (const id of this.#entries.keys()) {
      if (found.has(id)) continue;
      this.#entries.delete(id);
      void this.#onChange(id);
    }
    if (this.#entries.get(BUILTIN.id)?.prepared === null) this.#compileLater(BUILTIN.id);
  }

  /** Compiles a robot again once its changed files have settled. */
  touch(id: string): void {
    if (!this.#entries.has(id) || nameProblem('robot', id) !== null) return;
    clearTimeout(this.#touched.get(id));
    const timer = setTimeout(() => {
      this.#touched.delete(id);
      this.#compileLater(id);
    }, QUIET_MS);
    timer.unref();
    this.#touched.set(id, timer);
  }

  /** Registers a robot that was added or replaced on disk; resolves once the listeners have handled it.
   *  @param prepared its compiled files */
  async arrived(id: string, prepared: PreparedRobot): Promise<void> {
    await this.refresh();
    const entry = this.#entries.get(id);
    if (!entry) return; // the robot was removed in the meantime
    this.#entries.set(id, { ...entry, prepared, error: null });
    await this.#onChange(id);
  }

  /** Registers a robot whose folder was put back. Resolves once the listeners have handled it, if its compiled files
   *  are kept; otherwise it is compiled in the background. */
  async putBack(id: string): Promise<void> {
    await this.refresh();
    const entry = this.#entries.get(id);
    const kept = entry ? await this.#find(entry.source).catch(() => null) : null;
    if (kept) await this.arrived(id, kept);
    else this.touch(id);
  }

  /** Returns the robot compiled from its current files; compiles it if necessary.
   *  @throws StudioError if it does not compile */
  async prepared(id: string): Promise<PreparedRobot> {
    const entry = this.choose(id);
    const isSettled = entry.prepared && !this.#compiling.has(entry.id) && !this.#touched.has(entry.id);
    if (isSettled && (await isKept(entry.prepared))) return entry.prepared;
    // Do not start a thread if the cache contains the robot: selecting a robot must be fast.
    const found = this.#compiling.has(entry.id) ? null : await this.#find(entry.source).catch(() => null);
    if (found === null || this.#compiling.has(entry.id)) return this.#compile(this.choose(id).id);
    this.#settle(entry.id, found, null);
    return found;
  }

  #add(id: string, source: RobotSource): void {
    const error = nameProblem('robot', id);
    this.#entries.set(id, { id, source, prepared: null, error });
    void this.#onChange(id);
    if (error === null) this.touch(id);
  }

  #compileLater(id: string): void {
    this.#queue = this.#queue.then(async () => {
      await this.#compiling.get(id)?.catch(() => {}); // A running compilation may have read older files.
      const entry = this.#entries.get(id);
      if (!entry) return;
      const kept = await this.#find(entry.source).catch(() => null); // compiling will report the error
      if (kept && !this.#compiling.has(id)) this.#settle(id, kept, null);
      else if (this.#entries.has(id)) await this.#compile(id).catch(() => {}); // the entry stores the error
    });
  }

  #settle(id: string, prepared: PreparedRobot | null, error: string | null): void {
    const now = this.#entries.get(id);
    if (!now || (now.prepared?.key === prepared?.key && now.error === error)) return;
    this.#entries.set(id, { ...now, prepared, error });
    void this.#onChange(id);
  }

  #compile(id: string): Promise<PreparedRobot> {
    const running = this.#compiling.get(id);
    if (running) return running;
    const entry = this.#entries.get(id)!;
    const compiling = this.#prepare(entry.source).finally(() => this.#compiling.delete(id));
    this.#compiling.set(id, compiling);
    compiling.then(
      (prepared) => this.#settle(id, prepared, null),
      (error: unknown) => this.#settle(id, null, messageOf(error)),
    );
    return compiling;
  }
}
