import { computed, effect, type Signal, signal } from '@preact/signals';
import type { ReplyOf } from '../../../../src/protocol/route.ts';
import type { RouteByKey } from '../../../../src/protocol/route-table.ts';
import type { call } from '../../net/api.ts';
import type { owner } from '../../net/scene-owner.ts';
import { undoButton } from '../../net/undo.ts';
import type { ChosenFile } from '../../ui/chosen-files.ts';
import { messageOf } from '../../ui/message-of.ts';
import { toast } from '../../ui/toasts.ts';
import type { ImportRequest } from '../robots/import-request-store.ts';
import type { imports, robots, selectRobot, showRobot } from '../robots/robots-store.ts';
import type { draft } from './draft-store.ts';
import type { upload } from './sending-store.ts';
import { planFolder } from './shared/model-folder.ts';

export const STEPS = ['files', 'model', 'review', 'check', 'save'] as const;
export type Step = (typeof STEPS)[number];
type ModelFile = ReplyOf<RouteByKey['GET /api/robots/import/files']>['files'][number];

export interface WizardDeps {
  readonly call: typeof call;
  readonly robots: Pick<typeof robots, 'state' | 'refresh'>;
  readonly imports: Pick<typeof imports, 'state' | 'refresh'>;
  readonly removedUpload: Signal<string | null>;
  readonly selectRobot: typeof selectRobot;
  readonly showRobot: typeof showRobot;
  readonly draft: typeof draft;
  readonly upload: typeof upload;
  /** whether the wizard is open; `importRequest` states the robot or files to open */
  readonly importing: Signal<boolean>;
  readonly importRequest: Signal<ImportRequest | null>;
  /** the area that decides the content of the scene */
  readonly owner: typeof owner;
  /** body selections in the scene, cleared when the wizard moves on */
  readonly clickedBody: Signal<unknown>;
  readonly litBody: Signal<string | null>;
}

/** Runs the wizard that turns model files into a robot, step by step. */
export class ImportSteps {
  readonly #deps: WizardDeps;
  readonly step = signal<Step>('files');
  /** Id of the upload that the wizard works on. */
  readonly uploadId = signal<string | null>(null);
  readonly modelFiles = signal<readonly ModelFile[]>([]);
  readonly chosenModel = signal<string | null>(null);
  /** Text for the work in progress, such as "Reading the model"; null while the wizard waits for input. */
  readonly working = signal<string | null>(null);
  /** Error of the last action, in the service's words. */
  readonly problem = signal<string | null>(null);
  /** The robot that the wizard saved; null before saving. */
  readonly saved = signal<{ readonly id: string; readonly task: string } | null>(null);
  /** Ids of saved robots and unfinished uploads. */
  readonly takenIds = computed(() => {
    const listed = this.#deps.robots.state.value.value?.robots.map(({ id }) => id) ?? [];
    const sent = this.#deps.imports.state.value.value?.unfinished.map(({ id }) => id) ?? [];
    return new Set([...listed, ...sent]);
  });
  /** Id of the saved robot that the upload will replace; null for a new robot. */
  readonly replaced = computed(() => {
    const id = this.uploadId.value;
    const listed = this.#deps.robots.state.value.value?.robots ?? [];
    return listed.some((robot) => robot.id === id && robot.source === 'created') ? id : null;
  });
  #abort: AbortController | null = null;

  constructor(deps: WizardDeps) {
    this.#deps = deps;
    effect(() => {
      const id = deps.removedUpload.value;
      if (id === null || id !== this.uploadId.peek()) return;
      this.#startOver();
      deps.draft.forgetEdits();
    });
  }

  /** Runs an action of the current step and shows an error in that step. @returns whether the action succeeded */
  async #work(what: string, run: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
    if (this.working.peek() !== null) return false;
    this.#abort = new AbortController();
    const { signal: stop } = this.#abort;
    this.working.value = what;
    this.problem.value = null;
    try {
      await run(stop);
      return !stop.aborted;
    } catch (error) {
      if (!stop.aborted) this.problem.value = messageOf(error);
      return false;
    } finally {
      this.working.value = null;
    }
  }

  readonly stopWork = (): void => {
    this.#abort?.abort();
  };

  /** Opens the requested upload or robot, and clears the request. */
  readonly takeRequest = async (request: ImportRequest | null): Promise<void> => {
    if (request === null) return;
    this.#deps.importRequest.value = null;
    if (request.kind === 'edit') await this.#editRobot(request.robot);
    else await this.#open(request.upload);
  };

  /** Continues a draft. @param upload id of the upload; null continues the last draft */
  async #open(upload: string | null): Promise<void> {
    const { draft, imports } = this.#deps;
    this.saved.value = null;
    if (upload !== null && upload !== this.uploadId.peek()) {
      await imports.refresh();
      await this.continueUpload(upload);
      return;
    }
    if (draft.inspection.peek() !== null) {
      await draft.showDraft();
      return;
    }
    await imports.refresh();
    const left = imports.state.peek().value?.draft ?? null;
    const untouched = this.step.peek() === 'files' && this.#deps.upload.chosenFolder.peek() === null;
    if (left === null || !untouched) return;
    const isUpload = imports.state.peek().value?.unfinished.some(({ id }) => id === left.id) === true;
    if (isUpload) await this.continueUpload(left.id);
    else await this.#editRobot(left.id);
  }

  /** Opens a saved robot with its files and settings. Saving replaces its settings. */
  async #editRobot(id: string): Promise<void> {
    if (this.working.peek() !== null) return;
    const { draft, imports } = this.#deps;
    const isOpen = draft.inspection.peek()?.id === id && this.saved.peek() === null;
    await imports.refresh();
    if (imports.state.peek().value?.unfinished.some((upload) => upload.id === id) === true) {
      await this.continueUpload(id); // new files for the robot were uploaded but not saved
      return;
    }
    if (isOpen) {
      await draft.showDraft();
      return;
    }
    this.#startOver();
    await this.#work('Opening the robot', () => this.#readSaved(id));
  }

  /** Reads a saved robot. Shows its saved settings, or edits from an earlier visit. */
  async #readSaved(id: string): Promise<void> {
    const { call, draft, imports } = this.#deps;
    const [{ spec: settings }, { files }] = await Promise.all([
      call('GET /api/robots/{id}/spec', { params: { id } }),
      call('GET /api/robots/import/files', { query: { id } }),
    ]);
    this.uploadId.value = id;
    this.modelFiles.value = files;
    this.chosenModel.value = settings.model;
    this.step.value = 'model';
    await draft.inspectModel(id, settings.model, settings);
    this.step.value = 'review';
    void imports.refresh();
  }

  /** Closes the wizard. Keeps the draft; the scene shows the robot again. */
  readonly leaveImport = async (): Promise<void> => {
    const { importing, clickedBody, litBody, owner, showRobot } = this.#deps;
    importing.value = false;
    clickedBody.value = null;
    litBody.value = null;
    if (this.saved.peek() !== null) this.#startOver();
    if (owner.peek() === 'import') await showRobot();
  };

  #startOver(): void {
    const { draft, upload } = this.#deps;
    draft.clearDraft();
    this.step.value = 'files';
    this.uploadId.value = null;
    this.modelFiles.value = [];
    this.chosenModel.value = null;
    upload.chosenFolder.value = null;
    upload.sending.value = null;
    this.problem.value = null;
    this.saved.value = null;
  }

  /** Starts again with other files. The upload stays in the list. */
  readonly anotherRobot = (): void => {
    this.#startOver();
    this.#deps.importing.value = true;
  };

  /** Starts again with files that the user dropped or chose. */
  readonly takeModelFiles = async (files: readonly ChosenFile<File>[]): Promise<void> => {
    if (this.working.peek() !== null) return;
    const { importing, imports, robots, upload } = this.#deps;
    importing.value = true;
    this.#startOver();
    await Promise.all([imports.refresh(), robots.refresh()]);
    const listed = new Set(robots.state.peek().value?.robots.map(({ id }) => id));
    upload.chosenFolder.value = planFolder(files, listed);
  };

  /** Uploads the chosen files. @param id of the new robot */
  readonly startSending = async (id: string): Promise<void> => {
    const folder = this.#deps.upload.chosenFolder.peek();
    if (folder === null) return;
    let complete = false;
    await this.#work('Uploading files', async () => {
      this.uploadId.value = id;
      complete = await this.#deps.upload.sendFolder(folder, id);
    });
    if (complete) await this.#readFiles(id);
  };

  /** Copies a folder of the server and continues with it. */
  readonly copyFolder = async (source: string, id: string): Promise<void> => {
    const done = await this.#work('Copying the folder', async (stop) => {
      await this.#deps.call('POST /api/robots/import/path', { body: { id, source }, signal: stop });
      await this.#deps.imports.refresh();
    });
    if (done) await this.#readFiles(id);
  };

  async #readFiles(id: string): Promise<boolean> {
    return this.#work('Reading the folder', async () => {
      const { files } = await this.#deps.call('GET /api/robots/import/files', { query: { id } });
      this.uploadId.value = id;
      this.modelFiles.value = files;
      const models = files.filter(({ kind }) => kind === 'mjcf' || kind === 'urdf');
      this.chosenModel.value = (models.find(({ main }) => main) ?? models[0])?.path ?? null;
      this.step.value = 'model';
    });
  }

  /** Continues an unfinished upload. Restores its draft if the service has one. */
  readonly continueUpload = async (id: string): Promise<void> => {
    const { draft, imports, upload } = this.#deps;
    draft.clearDraft();
    upload.chosenFolder.value = null;
    upload.sending.value = null;
    this.saved.value = null;
    if (!(await this.#readFiles(id))) return;
    const left = imports.state.peek().value?.draft;
    if (left?.id !== id) return;
    this.chosenModel.value = left.model;
    await this.readModel();
  };

  /** Inspects the chosen model. */
  readonly readModel = async (): Promise<void> => {
    const id = this.uploadId.peek();
    const model = this.chosenModel.peek();
    if (id === null || model === null) return;
    await this.#work('Reading the model', async () => {
      const { draft } = this.#deps;
      await draft.inspectModel(id, model, draft.savedSpec.peek());
      this.step.value = 'review';
      void this.#deps.imports.refresh();
    });
  };

  /** Opens the check and runs it, unless the current settings have already been checked. */
  readonly runCheck = async (): Promise<void> => {
    this.step.value = 'check';
    if (this.#deps.draft.report.peek() !== null) return;
    await this.#work('Checking the robot', this.#deps.draft.checkDraft);
  };

  readonly save = async (): Promise<void> => {
    const { draft, imports, robots } = this.#deps;
    await this.#work('Saving the robot', async () => {
      const { undo, ...saved } = await draft.saveDraft();
      const what = `${saved.id} replaced`;
      if (undo !== null) toast('ok', what, '', undoButton(what, [undo]));
      await Promise.all([robots.refresh(), imports.refresh()]);
      await this.#deps.selectRobot(saved.id); // the scene shows the saved robot
      this.saved.value = saved;
    });
  };

  /** Selects the saved robot and closes the wizard. */
  readonly selectSaved = async (): Promise<void> => {
    const robot = this.saved.peek();
    if (robot === null) return;
    this.#startOver();
    this.#deps.importing.value = false;
    await this.#deps.selectRobot(robot.id);
  };

  readonly goBack = (): void => {
    const before = STEPS[STEPS.indexOf(this.step.peek()) - 1];
    if (before !== undefined) this.goToStep(before);
  };

  /** Returns whether a step can be opened: the earlier steps must be complete. */
  readonly stepReady = (which: Step): boolean => {
    if (which === 'files') return true;
    if (which === 'model') return this.uploadId.value !== null && this.modelFiles.value.length > 0;
    return this.#deps.draft.spec.value !== null;
  };

  readonly goToStep = (which: Step): void => {
    if (this.working.peek() !== null || !this.stepReady(which)) return;
    this.problem.value = null;
    this.#deps.clickedBody.value = null;
    this.step.value = which;
  };
}
