import { urlOf } from '../../../../src/protocol/http-client.ts';
import type { BodyOf } from '../../../../src/protocol/route.ts';
import type { RouteByKey } from '../../../../src/protocol/route-table.ts';
import { call } from '../../net/api.ts';
import { runSlow, tasks } from '../../net/busy.ts';
import { undoButton } from '../../net/undo.ts';
import { messageOf } from '../../ui/message-of.ts';
import { failed, toast } from '../../ui/toasts.ts';
import { jobEnd, ownJob } from '../jobs/jobs-store.ts';
import { chooseDataset, datasets, refreshListing, tick, untickAll } from './data-store.ts';
import { imagesFirst, mirrorName } from './mirrors.ts';
import { closePreview, reloadShown, showsClips } from './preview-store.ts';

export type ConvertBody = BodyOf<RouteByKey['POST /api/data/convert']>;

/** Creates a dataset. @throws Error with the service's message about the name */
export async function createDataset(name: string): Promise<void> {
  const { dataset } = await call('POST /api/data/new', { body: { name } });
  await datasets.refresh();
  chooseDataset(dataset);
}

/** Imports a folder from the service's machine.
 *  @returns whether it succeeded; a failure after the start is shown as a toast
 *  @throws Error with the service's message about the folder or the name */
export async function importFolder(source: string, name: string, link: boolean): Promise<boolean> {
  const started = await call('POST /api/data/import', { body: { source, link, ...(name === '' ? {} : { name }) } });
  const done = await runSlow('The folder could not be imported', () => Promise.resolve(started));
  if (!done) return false;
  const end = tasks.peek().find(({ task }) => task === started.task);
  // The message states the recognised layout, the assumptions and the omitted files.
  if (end?.message) toast('info', 'Imported', end.message);
  await datasets.refresh();
  const made = end?.result?.['dataset'];
  if (typeof made === 'string') chooseDataset(made);
  return true;
}

export async function scanDataset(name: string): Promise<void> {
  const done = await runSlow(`${name} could not be scanned`, () =>
    call('POST /api/data/scan', { body: { dataset: name } }),
  );
  if (done) await datasets.refresh();
}

/** Starts a conversion. @returns the name of the job @throws Error with the service's message about the options */
export async function convert(body: ConvertBody): Promise<string> {
  const { job } = await call('POST /api/data/convert', { body });
  ownJob(job);
  return job;
}

/** Converts clips again whose last conversion failed. */
export async function retryClips(dataset: string, clips: readonly string[]): Promise<void> {
  try {
    await convert({ dataset, which: 'selected', clips: [...clips] });
  } catch (error) {
    failed('The conversion could not be started', error);
  }
}

/** Converts one clip again with repairs and loads the result if the scene still shows the clip. */
export async function convertFixed(dataset: string, clip: string, fixes: readonly string[]): Promise<void> {
  try {
    const job = await convert({ dataset, which: 'selected', clips: [clip], fixes: [...fixes] });
    const { status } = await jobEnd(job);
    if (status === 'done') await reloadShown(dataset, clip);
  } catch (error) {
    failed(`${clip} could not be converted`, error);
  }
}

/** Renames a clip; renames the dataset if `clip` is null. Closes an open clip of that name first.
 *  @throws Error with the service's message about the name */
export async function renameData(set: string, clip: string | null, name: string): Promise<void> {
  if (showsClips(set, clip === null ? null : [clip])) await closePreview();
  const { undo } = await call('POST /api/data/rename', {
    body: { dataset: set, name, ...(clip === null ? {} : { clip }) },
  });
  await datasets.refresh();
  if (clip === null) chooseDataset(name);
  else refreshListing([]);
  const what = `${clip ?? set} renamed to ${name}`;
  toast('ok', what, '', undoButton(what, [undo]));
}

/** Deletes a dataset. Closes the dataset's open clip first. @throws Error with the service's message */
export async function deleteDataset(name: string): Promise<void> {
  if (showsClips(name, null)) await closePreview();
  const { undo } = await call('DELETE /api/data/datasets/{dataset}', { params: { dataset: name } });
  await datasets.refresh();
  toast('ok', `${name} deleted`, '', undoButton(`${name} deleted`, [undo]));
}

/** Deletes clips one after another and reports the first failure. Closes an open clip first.
 *  @param mirrors whether to delete the mirror images of the clips too
 *  @param progress called with the number of clips done so far */
export async function deleteClips(
  dataset: string,
  clips: readonly string[],
  mirrors: boolean,
  progress: (done: number) => void,
  stop: AbortSignal,
): Promise<void> {
  const undos: string[] = [];
  const problems: string[] = [];
  if (showsClips(dataset, mirrors ? clips.flatMap((clip) => [clip, mirrorName(clip)]) : clips)) await closePreview();
  // Delete a selected mirror image before its clip, because deleting the clip also deletes its mirror image.
  for (const clip of mirrors ? imagesFirst(clips) : clips) {
    if (stop.aborted) break;
    try {
      const { undo } = await call('DELETE /api/data/datasets/{dataset}/clips/{clip}', {
        params: { dataset, clip },
        query: mirrors ? { mirror: true } : {},
      });
      undos.push(undo);
      tick([clip], false);
    } catch (error) {
      problems.push(`${clip}: ${messageOf(error)}`);
    }
    progress(undos.length + problems.length);
  }
  if (undos.length === clips.length) untickAll();
  await datasets.refresh();
  refreshListing([]);
  const what = clips.length === 1 ? (clips[0] ?? '') : `${undos.length} of ${clips.length} clips`;
  const action = undoButton(`${what} deleted`, undos);
  if (problems.length === 0) toast('ok', `${what} deleted`, '', action);
  else toast('error', `${problems.length} of ${clips.length} clips could not be deleted`, problems[0] ?? '', action);
}

/** Returns the download URL of a clip's file. */
export function downloadUrl(dataset: string, clip: string, source: 'npz' | 'raw'): string {
  return urlOf('GET /api/data/download', {}, { dataset, clip, source });
}
