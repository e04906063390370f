import { computed, signal } from '@preact/signals';
import type { ReplyOf } from '../../../../src/protocol/route.ts';
import type { RouteByKey } from '../../../../src/protocol/route-table.ts';
import { call } from '../../net/api.ts';
import { owner } from '../../net/scene-owner.ts';
import type { ChosenFile } from '../../ui/chosen-files.ts';
import { goTo } from '../../ui/layout.ts';
import { messageOf } from '../../ui/message-of.ts';
import { imports, robots, selectRobot, showRobot } from '../robots/robots-store.ts';
import {
  checkDraft,
  clearDraft,
  forgetEdits,
  inspection,
  inspectModel,
  report,
  saveDraft,
  showDraft,
  spec,
  takeSpec,
} from './draft-store.ts';
import { clickedBody, importing, litBody } from './draft-view.ts';
import { planFolder } from './model-folder.ts';
import { chosenFolder, sendFolder, sending } from './send-folder.ts';

export const STEPS = ['files', 'model', 'review', 'check', 'save'] as const;
export type Step = (typeof STEPS)[number];
type ModelFile = ReplyOf<RouteByKey['GET /api/robots/import/files']>['files'][number];

export const step = signal<Step>('files');
/** The upload that the wizard is about. */
export const uploadId = signal<string | null>(null);
export const modelFiles = signal<readonly ModelFile[]>([]);
export const chosenModel = signal<string | null>(null);
/** What is under way, as a verb and its object; null while the wizard waits for the person. */
export const working = signal<string | null>(null);
/** Why the last thing asked for did not work, in the service's words. */
export const problem = signal<string | null>(null);
/** The robot that came of it. */
export const saved = signal<{ readonly id: string; readonly task: string } | null>(null);

/** Ids of robots and uploads that are there. */
export const takenIds = computed(() => {
  const listed = robots.state.value.value?.robots.map(({ id }) => id) ?? [];
  const sent = imports.state.value.value?.unfinished.map(({ id }) => id) ?? [];
  return new Set([...listed, ...sent]);
});

/** The saved robot whose place the upload will take; null while a new one is made. */
export const replaced = computed(() => {
  const id = uploadId.value;
  const there = robots.state.value.value?.robots.some((robot) => robot.id === id && robot.source === 'created');
  return there === true ? id : null;
});

let abort: AbortController | null = null;

/** Does something that takes its time; its failure stands on the step. @returns whether it was done */
async function work(what: string, run: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
  if (working.peek() !== null) return false;
  abort = new AbortController();
  const { signal: stop } = abort;
  working.value = what;
  problem.value = null;
  try {
    await run(stop);
    return !stop.aborted;
  } catch (error) {
    if (!stop.aborted) problem.value = messageOf(error);
    return false;
  } finally {
    working.value = null;
  }
}

export function stopWork(): void {
  abort?.abort();
}

/** Opens the wizard; a draft that was left is taken up where it was. @param upload the one to go on with, not the last */
export async function openImport(upload: string | null = null): Promise<void> {
  goTo('robots');
  importing.value = true;
  saved.value = null;
  if (upload !== null && upload !== uploadId.peek()) {
    await imports.refresh();
    await continueUpload(upload);
    return;
  }
  if (inspection.peek() !== null) {
    await showDraft();
    return;
  }
  await imports.refresh();
  const draft = imports.state.peek().value?.draft ?? null;
  if (draft !== null && step.peek() === 'files' && chosenFolder.peek() === null) await continueUpload(draft.id);
}

/** Opens a saved robot to be changed: a copy of its files, with its settings. Saving puts it in the robot's place. */
export async function editRobot(id: string): Promise<void> {
  if (working.peek() !== null) return;
  goTo('robots');
  importing.value = true;
  await imports.refresh();
  if (imports.state.peek().value?.unfinished.some((upload) => upload.id === id) === true) {
    await continueUpload(id); // left before
    return;
  }
  startOver();
  forgetEdits();
  await work('Opening the robot', async (stop) => {
    const [{ spec: settings }, { folder }] = await Promise.all([
      call('GET /api/robots/{id}/spec', { params: { id } }),
      call('GET /api/robots/import'),
    ]);
    await call('POST /api/robots/import/path', { body: { id, source: `${folder}/${id}` }, signal: stop });
    const { files } = await call('GET /api/robots/import/files', { query: { id } });
    uploadId.value = id;
    modelFiles.value = files;
    chosenModel.value = settings.model;
    step.value = 'model';
    await inspectModel(id, settings.model);
    takeSpec(settings);
    step.value = 'review';
    void imports.refresh();
  });
}

/** Leaves the wizard: the draft stays, the scene goes back to the robot. */
export async function leaveImport(): Promise<void> {
  importing.value = false;
  clickedBody.value = null;
  litBody.value = null;
  if (saved.peek() !== null) startOver();
  if (owner.peek() === 'import') await showRobot();
}

function startOver(): void {
  clearDraft();
  step.value = 'files';
  uploadId.value = null;
  modelFiles.value = [];
  chosenModel.value = null;
  chosenFolder.value = null;
  sending.value = null;
  problem.value = null;
  saved.value = null;
}

/** Begins with other files; the upload stays in the list. */
export function anotherRobot(): void {
  startOver();
  importing.value = true;
}

/** Opens the wizard with files that were dropped or chosen. */
export async function takeModelFiles(files: readonly ChosenFile<File>[]): Promise<void> {
  if (working.peek() !== null) return;
  if (!importing.peek()) {
    goTo('robots');
    importing.value = true;
  }
  startOver();
  await Promise.all([imports.refresh(), robots.refresh()]);
  const listed = new Set(robots.state.peek().value?.robots.map(({ id }) => id));
  chosenFolder.value = planFolder(files, listed);
}

/** Sends the chosen files. @param id of the robot to be */
export async function startSending(id: string): Promise<void> {
  const folder = chosenFolder.peek();
  if (folder === null) return;
  let whole = false;
  await work('Sending files', async () => {
    uploadId.value = id;
    whole = await sendFolder(folder, id);
  });
  if (whole) await readFiles(id);
}

/** Copies a folder of the service's machine. */
export async function copyFolder(source: string, id: string): Promise<void> {
  const done = await work('Copying the folder', async (stop) => {
    await call('POST /api/robots/import/path', { body: { id, source }, signal: stop });
    await imports.refresh();
  });
  if (done) await readFiles(id);
}

async function readFiles(id: string): Promise<boolean> {
  return work('Reading the folder', async () => {
    const { files } = await call('GET /api/robots/import/files', { query: { id } });
    uploadId.value = id;
    modelFiles.value = files;
    const models = files.filter(({ kind }) => kind === 'mjcf' || kind === 'urdf');
    chosenModel.value = (models.find(({ main }) => main) ?? models[0])?.path ?? null;
    step.value = 'model';
  });
}

/** Goes on with an upload of before; with its draft, where that is what the service keeps. */
export async function continueUpload(id: string): Promise<void> {
  clearDraft();
  chosenFolder.value = null;
  sending.value = null;
  saved.value = null;
  if (!(await readFiles(id))) return;
  const draft = imports.state.peek().value?.draft;
  if (draft?.id !== id) return;
  chosenModel.value = draft.model;
  await readModel();
}

export async function removeUpload(id: string): Promise<void> {
  await call('DELETE /api/robots/import/{id}', { params: { id } });
  if (uploadId.peek() === id) {
    startOver();
    forgetEdits();
  }
  await imports.refresh();
}

/** Inspects the chosen model. */
export async function readModel(): Promise<void> {
  const id = uploadId.peek();
  const model = chosenModel.peek();
  if (id === null || model === null) return;
  await work('Reading the model', async () => {
    await inspectModel(id, model);
    step.value = 'review';
    void imports.refresh();
  });
}

export async function runCheck(): Promise<void> {
  step.value = 'check';
  if (report.peek() !== null) return;
  await work('Checking the robot', checkDraft);
}

export async function save(): Promise<void> {
  await work('Saving the robot', async () => {
    saved.value = await saveDraft();
    await Promise.all([robots.refresh(), imports.refresh()]);
  });
}

/** Selects the robot that came of it, and closes the wizard. */
export async function selectSaved(): Promise<void> {
  const robot = saved.peek();
  if (robot === null) return;
  startOver();
  importing.value = false;
  await selectRobot(robot.id);
}

/** The step before, as far as there is one to go back to. */
export function goBack(): void {
  const before = STEPS[STEPS.indexOf(step.peek()) - 1];
  if (before !== undefined) goToStep(before);
}

/** Whether a step has what it needs. */
export function stepReady(which: Step): boolean {
  if (which === 'files') return true;
  if (which === 'model') return uploadId.value !== null && modelFiles.value.length > 0;
  return spec.value !== null;
}

export function goToStep(which: Step): void {
  if (working.peek() !== null || !stepReady(which)) return;
  problem.value = null;
  clickedBody.value = null;
  step.value = which;
}
