import { effect } from '@preact/signals';
import { AREAS } from '../features/areas.ts';
import { chooseDataset, dataset } from '../features/data/data-store.ts';
import {
  loadClip,
  playhead,
  preview,
  refreshPreview,
  seek,
  setPlaying,
  watchPlayhead,
} from '../features/data/preview-store.ts';
import { session } from '../features/play/session-store.ts';
import { importing, openImport } from '../features/robots/import-request-store.ts';
import { robot, selectRobot } from '../features/robots/robots-store.ts';
import { chosen } from '../features/tasks/drafts-store.ts';
import { owner } from '../net/scene-owner.ts';
import { area, firstRunFolded, foldFirstRun } from '../ui/layout.ts';
import { failed, toast } from '../ui/toasts.ts';
import { cameraMoved, followMode, placeCamera, viewer } from '../viewport/view-state.ts';
import { type Address, readAddress, writeAddress } from './address.ts';

const AREA_IDS = AREAS.map(({ id }) => id);
const WRITE_AFTER_MS = 400;

/** Returns the address of the present view. It contains the frame only while the clip is paused. */
function here(): Address {
  const open = preview.value;
  const showsClip = open?.open === true && open.dataset !== null && open.clip !== null;
  const inData = area.value === 'data';
  const inPlay = area.value === 'play';
  return {
    area: area.value,
    importing: area.value === 'robots' && importing.value,
    robot: inData || inPlay || area.value === 'tasks' ? (robot.value?.id ?? null) : null,
    dataset: inData ? (showsClip ? open.dataset : (dataset.value?.name ?? null)) : null,
    clip: inData && showsClip ? open.clip : null,
    task: area.value === 'tasks' && chosen.value !== null ? `${chosen.value.kind}/${chosen.value.name}` : null,
    frame: inData && showsClip && !open.playing ? playhead.frame : null,
    run: inPlay ? (session.value?.run ?? null) : null,
    env: inPlay ? (session.value?.focus ?? null) : null,
    camera: viewer.value?.cameraPlace() ?? null,
  };
}

/** Opens the view of a link, then keeps the address equal to the view. */
export function startAddress(): void {
  const asked = readAddress(location.hash, AREA_IDS);
  if (asked.area !== null) {
    area.value = asked.area;
    foldFirstRun();
  }
  if (asked.importing) openImport();
  chooseLinked(asked.task);
  openRun(asked);
  if (asked.camera !== null) followMode.value = asked.camera.follow;
  const placed = effect(() => {
    if (viewer.value === null) return;
    if (asked.camera !== null) viewer.value.placeCamera(asked.camera);
    queueMicrotask(() => placed());
  });
  follow(asked);
  let timer = 0;
  const write = () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => {
      if (firstRunFolded.peek()) history.replaceState(null, '', writeAddress(here()));
    }, WRITE_AFTER_MS);
  };
  effect(() => {
    void [cameraMoved.value, followMode.value, firstRunFolded.value];
    here();
    write();
  });
  watchPlayhead(() => {
    if (preview.peek()?.playing === false) write();
  });
  window.addEventListener('hashchange', () => {
    const next = readAddress(location.hash, AREA_IDS);
    if (next.area === 'runs') openRun(next);
    if (next.area !== null) {
      area.value = next.area;
      foldFirstRun();
    }
    if (next.importing && !importing.peek()) openImport();
    chooseLinked(next.task);
    follow(next);
    if (next.camera !== null) placeCamera(next.camera);
  });
}

/** Opens dataset and clip of a link. */
function follow(asked: Address): void {
  const { dataset: name, clip } = asked;
  if (name === null) return;
  chooseDataset(name);
  if (clip !== null)
    openLink(asked, name, clip).catch((error: unknown) => failed('The link could not be opened', error));
}

/** @param task `<kind>/<name>` from a link to Tasks */
function chooseLinked(task: string | null): void {
  const [kind, name] = task?.split('/') ?? [];
  if ((kind === 'task' || kind === 'preset' || kind === 'module') && name !== undefined) chosen.value = { kind, name };
}

/** Loads the clip of a link unless the scene already shows it. A link for another robot only offers to select that
 *  robot. */
async function openLink(asked: Address, datasetName: string, clip: string): Promise<void> {
  await Promise.all([robot.refresh(), refreshPreview()]);
  const selected = robot.value?.id;
  if (asked.robot !== null && selected !== undefined && asked.robot !== selected) {
    const wanted = asked.robot;
    toast('info', `This link is for ${wanted}`, `${selected} is selected now.`, {
      label: `Select ${wanted}`,
      run: () => void selectRobot(wanted).then((done) => done && loadClip(datasetName, clip)),
    });
    return;
  }
  const open = preview.peek();
  const shown = owner.peek() === 'data'; // a clip stays open while a session plays
  if (shown && open?.open === true && open.dataset === datasetName && open.clip === clip) return;
  if (!(await loadClip(datasetName, clip)) || asked.frame === null) return;
  // If no clip was open before, the page cannot pause and seek until it has read the preview.
  await refreshPreview();
  await setPlaying(false);
  seek(asked.frame);
}

/** Opens the run of a link: in Runs its row, in Play a session of it. */
function openRun({ area: of, run, env }: Address): void {
  if (run === null) return;
  const opened =
    of === 'runs'
      ? import('../features/run-browser/run-browser-store.ts').then((browser) => browser.openRunLink(run))
      : import('../features/play/setup-store.ts').then((play) => play.openRunLink(run, env));
  opened.catch((error: unknown) => failed('The link could not be opened', error));
}
