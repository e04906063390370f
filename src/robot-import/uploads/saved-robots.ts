import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import { badInput, StudioError } from '../../core/errors.ts';
import { writeAtomic } from '../../core/files/atomic-file.ts';
import { quoteName } from '../../core/files/names.ts';
import { Mutex } from '../../core/mutex.ts';
import { placeOf, problemOf } from '../../core/validation.ts';
import { formatYaml } from '../../core/yaml-file.ts';
import type { ReplyOf } from '../../protocol/route.ts';
import type { getRobotSpec } from '../../protocol/routes/robots.ts';
import { RobotSpec } from '../../protocol/schemas/robots.ts';
import type { PreparedRobot } from '../../robots/prepared-robot.ts';
import type { RobotRegistry } from '../../robots/robot-registry.ts';
import type { RobotSource } from '../../robots/robot-source.ts';
import { readRobotSpec, SPEC_FILE } from '../../robots/robot-spec-file.ts';
import type { CheckName, CheckReport } from '../check/check-report.ts';
import { installRobot, type KeepFormer } from './install-robot.ts';
import type { Uploads } from './uploads.ts';

/** Names of the checks that a robot must pass to be saved. The other checks rate its quality. */
const NEEDED: ReadonlySet<CheckName> = new Set(['compiles', 'joints', 'wiring', 'mass', 'gains', 'collision', 'feet']);

export interface SavedRobotsDeps {
  /** `<workspace>/robots` */
  readonly folder: string;
  readonly registry: RobotRegistry;
  readonly uploads: Uploads;
  prepare(source: RobotSource, signal: AbortSignal): Promise<PreparedRobot>;
  /** Refuses to change a robot that is in use. Each method throws a conflict that names the user. */
  readonly uses: { refuseRobot(robot: string): void; refuseRobotOfJob(robot: string): void };
  /** Takes over the folder of a replaced robot. */
  readonly keepFormer: KeepFormer;
  /** Keeps the current version of a robot's file while `put` replaces it. @returns the token that restores it */
  readonly keepFile: (robot: string, file: string, put: () => Promise<void>) => Promise<string | null>;
  /** Moves the folder of a robot to the trash. @returns the token that restores it */
  readonly discard: (robot: string, folder: string) => Promise<string>;
  /** Called after a robot was saved or deleted. */
  changed(reason: 'saved' | 'deleted', id: string): void;
  /** If `robot` is selected, selects another robot, because the folder of `robot` was deleted. */
  retreatFrom(robot: string): Promise<void>;
}

/** The saved robots of a workspace: each a folder with its robot.yaml. */
export class SavedRobots {
  readonly #deps: SavedRobotsDeps;
  /** lock for changes, so that each change sees the result of the previous one */
  readonly #mutex = new Mutex();

  constructor(deps: SavedRobotsDeps) {
    this.#deps = deps;
  }

  /** Whether a saved robot has this id. */
  has(id: string): boolean {
    const { registry } = this.#deps;
    return registry.has(id) && registry.find(id).source.kind === 'folder';
  }

  /** Runs `work` on a robot's folder. @throws bad_input for an unknown robot, or one that is removed in the meantime */
  async read<T>(id: string, work: (folder: string) => Promise<T>): Promise<T> {
    const folder = this.#folderOf(id, 'has no files');
    try {
      return await work(folder);
    } catch (error) {
      if (await isThere(folder)) throw error;
      throw new StudioError('bad_input', `id: the robot ${quoteName(id)} was removed in the meantime`, {
        cause: error,
      });
    }
  }

  /** Saves an upload as a robot, replacing a robot with the same id. Without an upload of this id, changes the spec of
   *  the robot with this id. Atomic.
   *  @param id of an upload or a robot  @param spec may have values that no robot can have
   *  @param check checks a spec with the robot's files
   *  @returns the token that restores the replaced robot; null if there was none
   *  @throws bad_input with the text of the check that fails, or naming the invalid field of the spec; conflict while a
   *  job uses the former robot */
  save(
    id: string,
    spec: RobotSpec,
    check: (spec: RobotSpec) => Promise<CheckReport>,
    signal: AbortSignal,
  ): Promise<string | null> {
    const { folder, registry, uploads, prepare, keepFormer, keepFile } = this.#deps;
    return this.#mutex.run(async () => {
      await this.#refuseTaken(spec.id);
      // The checks come first: they explain a wrong body, joint or gain, where the compiler and the schema only name
      // its field.
      refuseFailing(await check(spec));
      validate(spec);
      signal.throwIfAborted();
      const ofUpload = await uploads.has(id);
      // Compile exactly the files that will be read from the folder, so that a robot that does not compile is not
      // saved.
      const compile = (files: string) => prepare({ kind: 'draft', id: spec.id, folder: files, spec }, signal);
      const prepared = await (ofUpload ? uploads.read(id, compile) : this.read(id, compile)).catch((error: unknown) => {
        throw inSpec(error);
      });
      signal.throwIfAborted();
      this.#deps.uses.refuseRobotOfJob(spec.id);
      const undo = ofUpload
        ? await registry.replacing(() => uploads.take(id, (files) => installRobot(files, folder, spec, keepFormer)))
        : await this.read(id, (files) => {
            const file = path.join(files, SPEC_FILE);
            return keepFile(id, file, () => writeAtomic(file, formatYaml(spec)));
          });
      await registry.arrived(spec.id, prepared);
      this.#deps.changed('saved', spec.id);
      return undo;
    });
  }

  /** Reads the spec of a saved robot.
   *  @throws bad_input for the built-in robot, an unknown robot, or an invalid robot.yaml */
  async spec(id: string): Promise<ReplyOf<typeof getRobotSpec>> {
    const folder = this.#folderOf(id, 'has no spec file');
    const file = path.join(folder, SPEC_FILE);
    return { id, spec: await readRobotSpec(file, id), yaml: await readFile(file, 'utf8') };
  }

  /** Deletes a robot; its datasets and runs stay.
   *  @returns the token that restores it
   *  @throws bad_input for the built-in robot or an unknown robot; conflict while it is in use */
  remove(id: string): Promise<string> {
    const { registry, retreatFrom, discard } = this.#deps;
    return this.#mutex.run(async () => {
      const folder = this.#folderOf(id, 'cannot be deleted');
      this.#deps.uses.refuseRobot(id);
      const undo = await discard(id, folder);
      await retreatFrom(id);
      await registry.refresh();
      this.#deps.changed('deleted', id);
      return undo;
    });
  }

  /** Restores a deleted robot, or the previous version of a robot. @throws conflict while a job uses the robot */
  restore(id: string, put: () => Promise<string | null>): Promise<string | null> {
    return this.#mutex.run(async () => {
      this.#deps.uses.refuseRobotOfJob(id);
      const redo = await this.#deps.registry.replacing(put);
      await this.#deps.registry.putBack(id);
      this.#deps.changed('saved', id);
      return redo;
    });
  }

  /** @param refusal end of the message for the built-in robot, which has no folder */
  #folderOf(id: string, refusal: string): string {
    const { registry } = this.#deps;
    if (!registry.has(id)) throw badInput(`id: unknown robot ${quoteName(id)}`);
    const { source } = registry.find(id);
    if (source.kind !== 'folder') throw badInput(`id: ${quoteName(id)} is the built-in robot, which ${refusal}`);
    return source.folder;
  }

  async #refuseTaken(id: string): Promise<void> {
    const { registry, folder } = this.#deps;
    if (registry.has(id)) return; // the built-in robot was refused above
    if (await isThere(path.join(folder, id)))
      throw badInput(`spec.id: robots/${id} exists but is not a robot. Choose another id, or remove the folder.`);
  }
}

/** @throws bad_input with the text of the first required check that fails */
function refuseFailing({ checks }: CheckReport): void {
  const failing = checks.find(({ name, ok }) => !ok && NEEDED.has(name));
  if (failing) throw badInput(`spec: the check "${failing.name}" fails: ${failing.text}`);
}

/** Refuses what no required check refuses, such as a negative `root_height`: robot.yaml must be valid.
 *  @throws bad_input naming the field */
function validate(spec: RobotSpec): void {
  const problem = problemOf(RobotSpec, spec);
  if (problem) throw badInput(`${placeOf(['spec', ...problem.path], 'spec')}: ${problem.text}`);
}

async function isThere(folder: string): Promise<boolean> {
  return (await lstat(folder).catch(() => null)) !== null;
}

/** Prefixes field names of robot.yaml in an error with `spec.`. */
function inSpec(error: unknown): unknown {
  if (!(error instanceof StudioError) || !/^(wiring|joints|contacts|end_effectors)\b/.test(error.message)) return error;
  return new StudioError(error.code, `spec.${error.message}`, { cause: error });
}
