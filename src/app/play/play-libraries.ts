import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { DatasetStore } from '../../data/dataset-store.ts';
import { libraryClips } from '../../data/listing/library-clips.ts';
import type { LibraryFile } from '../../motion/library/load-motion-library.ts';
import type { ReplyOf } from '../../protocol/route.ts';
import type { listPlayLibraries } from '../../protocol/routes/play.ts';
import { EMBEDDED_FPS, type RunRecord } from '../../runs/store/run-record.ts';

/** A motion library with which a run can be played. */
export type PlayLibrary = ReplyOf<typeof listPlayLibraries>['libraries'][number] & {
  /** total number of frames of all clips */
  readonly rows: number;
  /** files of the clips; null: the clip is stored in the run's own file */
  readonly files: readonly LibraryFile[] | null;
};

/** Number of clips whose properties are read in one batch. */
const PAGE = 1000;

export interface LibraryPlaces {
  /** the workspace's folder */
  readonly root: string;
  readonly robot: string;
  readonly store: DatasetStore;
  /** Reads the properties of a converted clip file on another thread. Returns null for any other file. */
  facts(file: string): Promise<{ readonly frames: number; readonly fps: number } | null>;
}

/** Lists the motion libraries with which a run can be played. The default library is the first of these that exists:
 *  the library of the run's training, if it is in this workspace; the clip in the run's file; the dataset that the
 *  run names; the first dataset. The list then continues with the clip in the run's file and with the robot's
 *  datasets that have converted clips. */
export async function listLibraries(places: LibraryPlaces, run: RunRecord): Promise<PlayLibrary[]> {
  const { robot, store, root } = places;
  const datasets: PlayLibrary[] = [];
  for (const { name, converted, extra, error } of await store.datasets()) {
    if (converted + extra === 0 || error != null) continue;
    const library = await datasetLibrary(store, robot, name);
    if (library.clips > 0) datasets.push(library);
  }
  const own = run.motionFile === null ? null : path.resolve(root, run.motionFile);
  const trainedOn = (library: PlayLibrary) => {
    const folder = path.resolve(root, library.path);
    return own !== null && [folder, path.join(folder, 'npz'), path.join(folder, `${library.name}.npz`)].includes(own);
  };
  const embedded = run.embeddedFrames === null ? [] : [embeddedLibrary(run, run.embeddedFrames)];
  let first = datasets.find(trainedOn) ?? null;
  if (!first && own !== null) first = await fileLibrary(places, own);
  first ??= embedded[0] ?? datasets.find(({ name }) => name === run.dataset) ?? datasets[0] ?? null;
  if (!first) return [];
  const rest = [...embedded, ...datasets].filter((library) => library.path !== first.path);
  return [{ ...first, default: true }, ...rest];
}

async function datasetLibrary(store: DatasetStore, robot: string, name: string): Promise<PlayLibrary> {
  const { entries, marks } = await store.conversionSource(name);
  const { files } = libraryClips(entries, marks);
  let rows = 0;
  let duration = 0;
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const listed = await store.clips({ dataset: name, status: 'converted', page, size: PAGE });
    pages = listed.pages;
    for (const clip of listed.clips) {
      if (clip.excluded) continue;
      rows += clip.frames ?? 0;
      duration += clip.duration ?? 0;
    }
  }
  return { path: `data/${robot}/${name}`, name, clips: files.length, duration, default: false, rows, files };
}

/** Describes the clip stored in the policy's own file as a motion library. */
function embeddedLibrary({ path: run, embeddedFps }: RunRecord, frames: number): PlayLibrary {
  return {
    path: `logs/rsl_rl/${run}/exported/policy.onnx`,
    name: 'embedded',
    clips: 1,
    duration: (frames - 1) / (embeddedFps ?? EMBEDDED_FPS),
    default: false,
    rows: frames,
    files: null,
  };
}

/** Describes a converted file of the workspace outside the datasets as a motion library. Returns null for any other
 *  file. */
async function fileLibrary({ root, facts }: LibraryPlaces, file: string): Promise<PlayLibrary | null> {
  const relative = path.relative(root, file);
  if (relative.startsWith('..') || path.isAbsolute(relative) || !file.endsWith('.npz')) return null;
  const isFile = await stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  );
  const read = isFile ? await facts(file) : null;
  if (!read) return null;
  const name = path.basename(file, '.npz');
  return {
    path: relative.split(path.sep).join('/'),
    name,
    clips: 1,
    duration: Math.max(0, read.frames - 1) / read.fps,
    default: false,
    rows: read.frames,
    files: [{ name, path: file }],
  };
}
