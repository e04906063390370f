import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { badInput, StudioError } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import { Latest } from '../../core/latest.ts';
import { bytesText, countText } from '../../core/log/format-numbers.ts';
import type { Logger } from '../../core/logger.ts';
import { Mutex } from '../../core/mutex.ts';
import { Slots } from '../../core/slots.ts';
import type { BodyOf, ReplyOf } from '../../protocol/route.ts';
import type {
  checkDraft,
  getImportState,
  inspectModel,
  listModelFiles,
  loadGains,
} from '../../protocol/routes/robot-import.ts';
import type { getRobotSpec } from '../../protocol/routes/robots.ts';
import type { RobotSpec, Wiring } from '../../protocol/schemas/robots.ts';
import type { CheckReport } from '../../robot-import/check/check-report.ts';
import {
  type GainsOrder,
  gainsOfJoints,
  type LoadedGains,
  takeGains,
} from '../../robot-import/gains/read-gains-file.ts';
import type { RobotDraft } from '../../robot-import/inspect/inspection.ts';
import { DRAFT_FILE, type Draft, latestDraft, writeDraft } from '../../robot-import/uploads/draft-file.ts';
import { checkModelPath } from '../../robot-import/uploads/model-path.ts';
import type { RankedFile } from '../../robot-import/uploads/rank-files.ts';
import { SavedRobots, type SavedRobotsDeps } from '../../robot-import/uploads/saved-robots.ts';
import type { UploadSurvey } from '../../robot-import/uploads/upload-files.ts';
import { checkUploadId, Uploads } from '../../robot-import/uploads/uploads.ts';
import { firstTaskOf } from '../../robots/first-task.ts';
import type { PreparedRobot } from '../../robots/prepared-robot.ts';
import type { InspectedModel } from '../../workers/robots/import-robot.ts';
import type { EventHub } from '../event-hub.ts';
import { RateLimit } from '../rate-limit.ts';
import type { RobotStory } from '../story/robot-story.ts';
import type { DraftScene } from './draft-scene.ts';

/** Minimum time between two events of one upload, ms. An upload may have hundreds of files. */
const UPLOAD_EVENT_MS = 200;
/** Maximum number of threads that process uploaded models at the same time. Each thread may need a gigabyte of
 *  memory. */
const THREADS = 2;

export interface ImportDeps extends Omit<SavedRobotsDeps, 'uploads' | 'changed'> {
  readonly hub: EventHub;
  readonly logger: Logger;
  readonly story: RobotStory;
  readonly scene: DraftScene;
  /** File operations, run on other threads. */
  readonly files: {
    survey(folder: string): Promise<UploadSurvey | null>;
    surveyAll(root: string): Promise<(UploadSurvey & { readonly id: string })[]>;
    rank(folder: string): Promise<RankedFile[]>;
  };
  /** Reads joint gains from a file, on another thread. */
  gains(order: GainsOrder): Promise<LoadedGains>;
  /** Inspects an uploaded model. Each call of this and the following functions runs in its own thread. */
  inspect(folder: string, draft: RobotDraft, signal: AbortSignal): Promise<InspectedModel>;
  check(folder: string, spec: RobotSpec, signal: AbortSignal): Promise<CheckReport>;
}

/** Imports robots. Manages uploads of model files, the draft created from an upload, and saved robots. */
export class RobotImport {
  readonly #deps: ImportDeps;
  readonly #uploads: Uploads;
  readonly #saved: SavedRobots;
  readonly #root: string;
  readonly #slots = new Slots(THREADS);
  /** lock for showing and hiding the draft */
  readonly #mutex = new Mutex();
  readonly #events = new Map<string, RateLimit>();
  /** running inspections by upload id; a newer inspection cancels the older one */
  readonly #inspecting = new Map<string, Latest>();
  /** numbers all inspections in the order in which they were requested */
  readonly #inspections = new Latest();
  /** number of the last inspection that created or removed the draft */
  #draftNumber = 0;
  #draft: Draft | null = null;
  /** the compiled draft; null after the draft's files have changed */
  #prepared: PreparedRobot | null = null;
  /** number of changes of the draft's files */
  #draftFiles = 0;
  readonly #previews = new Latest();
  /** number of changes of files in all uploads */
  #filesVersion = 0;
  /** the last check report, and a key of the checked spec */
  #checked: { readonly subject: string; readonly report: CheckReport } | null = null;

  constructor(deps: ImportDeps) {
    this.#deps = deps;
    this.#root = path.join(deps.folder, '.uploads');
    this.#uploads = new Uploads(this.#root, deps.files.survey);
    const prepare: ImportDeps['prepare'] = (source, signal) =>
      this.#slots.use(() => deps.prepare(source, signal), signal);
    this.#saved = new SavedRobots({
      ...deps,
      uploads: this.#uploads,
      prepare,
      changed: (reason, id) => deps.hub.publish('robots', { reason, id }),
    });
  }

  /** Restores the draft that existed when the service last stopped. */
  async restore(): Promise<void> {
    this.#draft = await latestDraft(this.#root);
  }

  async state(): Promise<ReplyOf<typeof getImportState>> {
    const { folder, registry, files } = this.#deps;
    const saved = registry.list().filter(({ source }) => source.kind === 'folder');
    const draft = this.#draft;
    return {
      folder,
      robots: saved.map(({ id, prepared }) => ({ id, name: prepared?.facts.name ?? id })),
      unfinished: await files.surveyAll(this.#root),
      draft: draft && { id: draft.id, model: draft.model },
    };
  }

  /** Writes a file of an upload, completely or not at all.
   *  @param chunks the file's bytes; an error while reading them undoes the upload
   *  @returns bytes received @throws bad_input for an invalid id or path, too_large, disk_full */
  async upload(id: string, file: string, chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number> {
    const bytes = await this.#uploads.receive(id, file, chunks, signal);
    this.#deps.logger.debug(`Upload ${id}: ${file} received, ${bytesText(bytes)}`);
    this.#changed(id);
    return bytes;
  }

  /** Creates an upload by copying a folder of this machine. @throws bad_input, too_large, disk_full */
  async copy(id: string, source: string, signal: AbortSignal): Promise<{ files: number; bytes: number }> {
    const copied = await this.#uploads.copy(id, source, signal);
    const { files, bytes } = copied;
    this.#deps.logger.info(`Upload ${id} copied from a folder: ${countText(files, 'file')}, ${bytesText(bytes)}`);
    await this.#forget(id); // the files have changed, so a draft of this upload is outdated
    this.#changed(id);
    return copied;
  }

  async files(id: string): Promise<ReplyOf<typeof listModelFiles>> {
    return { id, files: await this.#read(id, (folder) => this.#deps.files.rank(folder)) };
  }

  async removeUpload(id: string): Promise<void> {
    await this.#uploads.remove(id);
    this.#deps.logger.info(`Upload ${id} removed`);
    this.#inspecting.get(id)?.begin();
    await this.#forget(id);
    this.#changed(id);
  }

  /** Inspects an uploaded model and makes it the draft.
   *  @throws bad_input for an invalid model, conflict if a newer inspection supersedes this one */
  async inspect(id: string, model: string, signal: AbortSignal): Promise<ReplyOf<typeof inspectModel>> {
    checkModelPath(model, 'model');
    if (!(await this.#read(id, (folder) => hasFile(folder, model))))
      throw badInput(`model: ${await this.#nameOf(id)} has no file ${quoteName(model)}`);
    const { number } = this.#inspections.begin();
    const ofUpload = this.#inspecting.get(id) ?? new Latest();
    this.#inspecting.set(id, ofUpload);
    const attempt = ofUpload.begin();
    const either = AbortSignal.any([signal, attempt.signal]);
    try {
      const { format, inspection, prepared } = await this.#slots.use(
        () => this.#read(id, (folder) => this.#deps.inspect(folder, { id, model }, either)),
        either,
      );
      either.throwIfAborted();
      await this.#keepDraft(number, { id, model, spec: inspection.spec }, prepared);
      const { joints, warnings } = inspection;
      const notes = warnings.length === 0 ? '' : `, ${countText(warnings.length, 'warning')}`;
      this.#deps.logger.info(`Upload ${id}: model ${model} inspected, ${countText(joints.length, 'joint')}${notes}`);
      return { ok: true, id, model, format, ...inspection } as ReplyOf<typeof inspectModel>;
    } catch (error) {
      if (attempt.isCurrent) throw error;
      await this.#nameOf(id);
      throw new StudioError('conflict', `a newer inspection of "${id}" has superseded this one`, { cause: error });
    } finally {
      if (attempt.isCurrent) this.#inspecting.delete(id);
    }
  }

  /** Reads joint gains from a file or from another robot, without saving them. @throws bad_input if the robot was not
   *  inspected, or the gains match none of its joints */
  async gains(
    { id, file, from = id, robot }: BodyOf<typeof loadGains>,
    signal: AbortSignal,
  ): Promise<Omit<ReplyOf<typeof loadGains>, 'ok'>> {
    if (file === undefined && robot === undefined)
      throw badInput('file: is missing. Name a file of the upload, or a robot in "robot".');
    if (file !== undefined && robot !== undefined) throw badInput('robot: give either "file" or "robot", not both');
    const { spec, prepared } = await this.#robotOf(id, signal);
    const loaded =
      file === undefined ? await this.#gainsOfRobot(robot!, spec) : await this.#gainsOfFile(from, file, spec, prepared);
    return {
      gains: { ...loaded.gains },
      joints_unmatched: [...loaded.unmatched],
      notes: [...loaded.notes],
      spec: loaded.spec,
    };
  }

  async #gainsOfFile(from: string, file: string, spec: RobotSpec, { facts }: PreparedRobot): Promise<LoadedGains> {
    checkModelPath(file, 'file');
    return this.#read(from, async (folder) => {
      if (!(await hasFile(folder, file)))
        throw badInput(`file: ${await this.#nameOf(from)} has no file ${quoteName(file)}`);
      const { joints, bodies } = facts;
      return this.#deps.gains({ file: path.join(folder, file), name: file, spec, parts: { joints, bodies } });
    });
  }

  async #gainsOfRobot(robot: string, spec: RobotSpec): Promise<LoadedGains> {
    const { registry } = this.#deps;
    if (!registry.has(robot)) {
      const known = registry.list().map(({ id }) => id);
      throw badInput(`robot: unknown robot ${quoteName(robot)}. Choose one of ${known.join(', ')}.`);
    }
    const { facts } = await registry.prepared(robot);
    return { ...takeGains(spec, gainsOfJoints(facts.joints), facts.name), notes: [] };
  }

  /** Returns the spec and the compiled model of an inspected upload, or else of a saved robot. */
  async #robotOf(
    id: string,
    signal: AbortSignal,
  ): Promise<{ readonly spec: RobotSpec; readonly prepared: PreparedRobot }> {
    const draft = this.#draft;
    if (!(await this.#uploads.has(id)) && this.#saved.has(id))
      return { spec: (await this.#saved.spec(id)).spec, prepared: await this.#deps.registry.prepared(id) };
    await this.#uploads.folder(id); // throws for an unknown id
    if (draft?.id !== id) throw badInput(`id: inspect a model of the upload ${quoteName(id)} first`);
    return { spec: draft.spec, prepared: await this.#compiled(draft, signal) };
  }

  /** Returns the compiled draft. Compiles the draft first if its files have changed. */
  async #compiled(draft: Draft, signal: AbortSignal): Promise<PreparedRobot> {
    const version = this.#draftFiles;
    const prepared =
      this.#prepared ??
      (await this.#slots.use(
        () => this.#read(draft.id, (folder) => this.#deps.prepare({ kind: 'draft', ...draft, folder }, signal)),
        signal,
      ));
    signal.throwIfAborted();
    if (this.#draft === draft && version === this.#draftFiles) this.#prepared = prepared;
    return prepared;
  }

  /** Shows the draft. The promise settles when the next frame shows the draft.
   *  @throws bad_input without a draft, or for unknown bodies */
  async preview(wiring: Wiring, signal: AbortSignal): Promise<void> {
    const draft = this.#draft;
    if (!draft) throw badInput('wiring: no robot is being imported: inspect a model first');
    const attempt = this.#previews.begin();
    const prepared = await this.#compiled(draft, signal);
    await this.#mutex.run(async () => {
      if (attempt.isCurrent && this.#draft === draft) await this.#deps.scene.show(prepared, wiring);
    });
  }

  async check(spec: RobotSpec, signal: AbortSignal): Promise<ReplyOf<typeof checkDraft>> {
    checkUploadId(spec.id, 'spec.id');
    const report = await this.#check(await this.#filesOf(spec), spec, signal);
    const checks = report.checks.map(({ exclude, ...check }) => ({
      ...check,
      ...(exclude ? { exclude: exclude.map((pair) => [...pair]) } : {}),
    }));
    return { ok: report.ok, checks };
  }

  /** Saves a robot.
   *  @throws bad_input naming the wrong field; conflict while a job uses the robot to be replaced */
  async save(spec: RobotSpec, signal: AbortSignal): Promise<{ id: string; task: string; undo: string | null }> {
    checkUploadId(spec.id, 'spec.id');
    const source = await this.#filesOf(spec);
    // If a saved robot was edited and is now saved under another id, the original robot is kept.
    const isCopy = source !== spec.id && !(await this.#uploads.has(source));
    if (isCopy) await this.#saved.read(source, (folder) => this.#uploads.copy(spec.id, folder, signal));
    const id = isCopy ? spec.id : source;
    let undo: string | null;
    try {
      undo = await this.#deps.story.request(spec.id, 'saved', () =>
        this.#saved.save(id, spec, (of) => this.#check(id, of, signal), signal),
      );
    } catch (error) {
      if (isCopy) await this.#uploads.remove(spec.id);
      throw error;
    }
    await this.#forget(source);
    return { id: spec.id, task: firstTaskOf(spec.id), undo };
  }

  /** Leaves the import view; the upload is kept. */
  async cancel(): Promise<void> {
    const draft = this.#draft;
    this.#previews.begin();
    this.#draftNumber = this.#inspections.begin().number; // also prevents running inspections from creating a draft
    this.#setDraft(null);
    if (draft) await rm(path.join(this.#root, draft.id, DRAFT_FILE), { force: true });
    await this.#mutex.run(() => this.#deps.scene.leave());
  }

  spec(id: string): Promise<ReplyOf<typeof getRobotSpec>> {
    return this.#saved.spec(id);
  }

  /** Deletes a robot. @throws bad_input for the built-in one, conflict while it is in use */
  remove(id: string): Promise<string> {
    return this.#deps.story.request(id, 'deleted', () => this.#saved.remove(id));
  }

  /** Restores a deleted robot, or the previous version of a robot. */
  putBack(id: string, put: () => Promise<string | null>): Promise<string | null> {
    return this.#saved.restore(id, put);
  }

  /** Finds the model files of a spec. Tries in this order: the upload with the spec's id, the saved robot with that
   *  id, and the upload or saved robot of the draft. The draft's robot may be saved under another id.
   *  @returns the id for `#read`  @throws bad_input if none of the three contains the spec's model */
  async #filesOf(spec: RobotSpec): Promise<string> {
    checkModelPath(spec.model, 'spec.model');
    const draft = this.#draft?.id;
    const there: string[] = [];
    if ((await this.#uploads.has(spec.id)) || this.#saved.has(spec.id)) there.push(spec.id);
    if (draft !== undefined && draft !== spec.id && ((await this.#uploads.has(draft)) || this.#saved.has(draft)))
      there.push(draft);
    for (const id of there) if (await this.#read(id, (folder) => hasFile(folder, spec.model))) return id;
    if (there[0] === undefined)
      throw badInput(
        `spec.id: there is no upload ${quoteName(spec.id)}, no robot of this name and no draft. Upload the model's files first.`,
      );
    throw badInput(`spec.model: ${await this.#nameOf(there.at(-1)!)} has no file ${quoteName(spec.model)}`);
  }

  /** Runs `work` on the model files of an upload, or else of the saved robot with that id.
   *  @throws bad_input if neither exists, or if it is deleted in the meantime */
  async #read<T>(id: string, work: (folder: string) => Promise<T>): Promise<T> {
    const isUpload = (await this.#uploads.has(id)) || !this.#saved.has(id);
    return isUpload ? this.#uploads.read(id, work) : this.#saved.read(id, work);
  }

  /** @throws bad_input if neither an upload nor a saved robot has the id any more */
  async #nameOf(id: string): Promise<string> {
    if (await this.#uploads.has(id)) return `the upload ${quoteName(id)}`;
    if (this.#saved.has(id)) return `the robot ${quoteName(id)}`;
    throw badInput(`id: the upload ${quoteName(id)} was removed in the meantime`);
  }

  /** Checks a spec. Reuses the last report if the spec is the same and no file of the upload has changed since. */
  async #check(id: string, spec: RobotSpec, signal: AbortSignal): Promise<CheckReport> {
    const subject = (await this.#uploads.has(id)) ? JSON.stringify([id, spec]) : null;
    if (subject !== null && this.#checked?.subject === subject) return this.#checked.report;
    const version = this.#filesVersion;
    const report = await this.#slots.use(
      () => this.#read(id, (folder) => this.#deps.check(folder, spec, signal)),
      signal,
    );
    if (subject !== null && version === this.#filesVersion) this.#checked = { subject, report };
    return report;
  }

  /** Makes an inspected model the draft, unless a later request has created or removed a draft. */
  async #keepDraft(number: number, draft: Draft, prepared: PreparedRobot): Promise<void> {
    if (number <= this.#draftNumber) return;
    this.#draftNumber = number;
    const former = this.#draft;
    // Only drafts of uploads are written to disk: the folder of a saved robot belongs to the user.
    if (await this.#uploads.has(draft.id))
      await this.#uploads.change(draft.id, (folder) => writeDraft(folder, draft.spec));
    if (former && former.id !== draft.id) await rm(path.join(this.#root, former.id, DRAFT_FILE), { force: true });
    if (number === this.#draftNumber) this.#setDraft(draft, prepared);
    else if (this.#draft?.id !== draft.id) await rm(path.join(this.#root, draft.id, DRAFT_FILE), { force: true });
  }

  #setDraft(draft: Draft | null, prepared: PreparedRobot | null = null): void {
    this.#draft = draft;
    this.#prepared = prepared;
  }

  /** Discards the draft of a deleted or replaced upload, and removes the draft from the scene. */
  async #forget(id: string): Promise<void> {
    if (this.#draft?.id !== id) return;
    this.#setDraft(null);
    await this.#mutex.run(() => this.#deps.scene.leave());
  }

  #changed(id: string): void {
    this.#checked = null;
    this.#filesVersion += 1;
    if (this.#draft?.id === id) {
      this.#prepared = null;
      this.#draftFiles += 1;
    }
    let events = this.#events.get(id);
    if (!events) {
      events = new RateLimit(UPLOAD_EVENT_MS, () => this.#deps.hub.publish('robots', { reason: 'upload', id }));
      this.#events.set(id, events);
    }
    events.trigger();
  }
}

async function hasFile(folder: string, file: string): Promise<boolean> {
  return (await stat(path.join(folder, file)).catch(() => null))?.isFile() === true;
}
