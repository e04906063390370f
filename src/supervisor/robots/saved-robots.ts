import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import { badInput, StudioError } from '../../core/errors.ts';
import { removeFolder } from '../../core/files/atomic-file.ts';
import { quoteName } from '../../core/files/names.ts';
import { Turns } from '../../core/turns.ts';
import type { ReplyOf } from '../../protocol/route.ts';
import type { getRobotSpec } from '../../protocol/routes/robots.ts';
import type { RobotSpec } from '../../protocol/schemas/robots.ts';
import type { PreparedRobot } from '../../robots/prepared-robot.ts';
import type { RobotSource } from '../../robots/robot-source.ts';
import { readRobotSpec, SPEC_FILE } from '../../robots/robot-spec-file.ts';
import { installRobot } from '../../robots/uploads/install-robot.ts';
import type { Uploads } from '../../robots/uploads/uploads.ts';
import type { EventHub } from '../event-hub.ts';
import type { Uses } from '../uses.ts';
import type { RobotRegistry } from './robot-registry.ts';

/** All robots change one after another: each step looks at what the one before left. */
const TURN = 'robots';

export interface SavedRobotsDeps {
  /** `<workspace>/robots` */
  readonly folder: string;
  readonly hub: EventHub;
  readonly registry: RobotRegistry;
  readonly uploads: Uploads;
  prepare(source: RobotSource, signal: AbortSignal): Promise<PreparedRobot>;
  readonly uses: Uses;
  /** Takes a robot that is gone off the stage. */
  retreatFrom(robot: string): Promise<void>;
}

/** Robots that were created here: each a folder with its robot.yaml. */
export class SavedRobots {
  readonly #deps: SavedRobotsDeps;
  readonly #turns = new Turns();

  constructor(deps: SavedRobotsDeps) {
    this.#deps = deps;
  }

  /** Makes a robot of an upload, replacing the one of its id. Whole or not at all.
   *  @throws bad_input naming the field of the spec that is wrong, conflict while a job uses the former one */
  save(upload: string, spec: RobotSpec, signal: AbortSignal): Promise<void> {
    const { folder, hub, registry, uploads, prepare } = this.#deps;
    return this.#turns.take(TURN, async () => {
      await this.#refuseTaken(spec.id);
      // As it will be read from its folder: what does not compile is not saved.
      const compile = (files: string) => prepare({ kind: 'draft', id: spec.id, folder: files, spec }, signal);
      const prepared = await uploads.read(upload, compile).catch((error: unknown) => {
        throw inSpec(error);
      });
      signal.throwIfAborted();
      this.#deps.uses.refuseRobotOfJob(spec.id);
      await uploads.take(upload, (files) => installRobot(files, folder, spec));
      await registry.arrived(spec.id, prepared);
      hub.publish('robots', { reason: 'saved', id: spec.id });
    });
  }

  /** @throws bad_input for the built-in robot, an unknown one, or a robot.yaml that is not valid */
  async spec(id: string): Promise<ReplyOf<typeof getRobotSpec>> {
    const folder = this.#folderOf(id, 'has no spec file');
    const file = path.join(folder, SPEC_FILE);
    return { id, spec: await readRobotSpec(file, id), yaml: await readFile(file, 'utf8') };
  }

  /** Its datasets and runs stay. @throws bad_input for the built-in robot or an unknown one, conflict while it is in use */
  remove(id: string): Promise<void> {
    const { hub, registry, retreatFrom } = this.#deps;
    return this.#turns.take(TURN, async () => {
      const folder = this.#folderOf(id, 'cannot be deleted');
      this.#deps.uses.refuseRobot(id);
      await removeFolder(folder);
      await retreatFrom(id);
      await registry.refresh();
      hub.publish('robots', { reason: 'deleted', id });
    });
  }

  /** @param refusal what the message says of the built-in robot, which has no folder */
  #folderOf(id: string, refusal: string): string {
    const { registry } = this.#deps;
    if (!registry.has(id)) throw badInput(`id: there is no robot ${quoteName(id)}`);
    const { source } = registry.find(id);
    if (source.kind !== 'folder') throw badInput(`id: ${quoteName(id)} is the built-in robot, which ${refusal}`);
    return source.folder;
  }

  async #refuseTaken(id: string): Promise<void> {
    const { registry, folder } = this.#deps;
    if (registry.has(id)) return; // the built-in one was refused before
    const there = await lstat(path.join(folder, id)).catch(() => null);
    if (there)
      throw badInput(`spec.id: robots/${id} is there and is no robot: choose another id, or remove it by hand`);
  }
}

/** What is wrong with a robot.yaml is named by its fields; here they are those of `spec`. */
function inSpec(error: unknown): unknown {
  if (!(error instanceof StudioError) || !/^(wiring|joints|contacts|end_effectors)\b/.test(error.message)) return error;
  return new StudioError(error.code, `spec.${error.message}`, { cause: error });
}
