import path from 'node:path';
import { StudioError } from '../../core/errors.ts';
import { countText } from '../../core/log/format-numbers.ts';
import { mirroredFrom } from '../../data/conversion/mirror-name.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import type { DataOptions } from '../../protocol/schemas/data.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { RecordedScene } from '../../scene/recorded-scene.ts';
import type { SimClient } from '../../workers/sim/sim-client.ts';
import type { Progress } from '../busy-tasks.ts';
import type { ClipFile, ClipLibrary } from './clip-library.ts';
import { type FoundClips, readGridClips } from './grid-clips.ts';
import { Lazy } from './lazy.ts';
import { CLOSED, type ClipSource, type Opened } from './opened.ts';

/** Functions that read files for the preview, and the scene that shows them. */
export interface OpeningDeps {
  readonly sim: SimClient;
  readClip(file: ClipFile, robot: RobotFacts): Promise<ClipRows>;
  /** Reads the raw source of a converted clip. @param mirrored whether the npz may be the mirror image of the file's
   *  clip @returns null if the file is not the source of the npz */
  readSource(npz: ClipFile, file: ClipFile, robot: RobotFacts, mirrored: boolean): Promise<ClipRows | null>;
}

/** Something to open in the preview. */
export interface Opening {
  /** kind of the busy task */
  readonly kind: 'load' | 'reload' | 'grid' | 'open';
  readonly label: string;
  /** the dataset of the clip or grid; null for a recording */
  readonly dataset: string | null;
  readonly clips: readonly string[];
  readonly robot: RobotFacts;
  /** Reads the clip or grid and shows it.
   *  @param options called when the file is loaded, because the options may change until then
   *  @returns what is open and a note about it; null if a newer opening superseded this one */
  open(
    progress: Progress,
    id: number,
    options: () => DataOptions,
  ): Promise<{ readonly opened: Opened; readonly note: string | null } | null>;
}

/** A clip of a dataset and its file. */
export interface ClipToOpen {
  readonly library: ClipLibrary;
  readonly robot: RobotFacts;
  readonly dataset: string;
  readonly clip: string;
  readonly file: ClipFile;
}

export function clipOpening(deps: OpeningDeps, of: ClipToOpen): Opening {
  const { robot, dataset, clip: name, file } = of;
  return {
    ...{ kind: 'load', label: `Loading ${name}`, dataset, clips: [name], robot },
    async open(progress, id, options) {
      progress.report('reading the clip');
      const rawSource = new Lazy(() => readRawSource(deps, of));
      if (options().ghost) rawSource.get().catch(() => {}); // Start reading the raw source together with the clip. Its error is reported only when the user shows it as a ghost.
      const clip = { name, ...(await deps.readClip(file, robot)) };
      if (progress.signal.aborted) return null;
      const transport = (await deps.sim.call({ type: 'open', clip, id, options: options() })) ?? CLOSED;
      progress.outcome(`Clip ${name} of ${dataset} loaded (${file.source}): ${framesText(clip)}`);
      return {
        opened: { kind: 'clip', id, dataset, file, clip, rawSource, ghost: null, qa: null, transport },
        note: null,
      };
    },
  };
}

/** Reads the changed file of the open clip and keeps the current frame. */
export function clipReopening(deps: OpeningDeps, of: ClipToOpen): Opening {
  const { robot, dataset, clip: name, file } = of;
  return {
    ...{ kind: 'reload', label: `Reading ${name} again`, dataset, clips: [name], robot },
    async open(progress, id) {
      const rawSource = new Lazy(() => readRawSource(deps, of));
      const clip = { name, ...(await deps.readClip(file, robot)) };
      if (progress.signal.aborted) return null;
      const transport = await deps.sim.call({ type: 'replace', clip, id });
      progress.outcome(`Clip ${name} of ${dataset} changed on disk and was read again: ${framesText(clip)}`);
      return (
        transport && {
          opened: { kind: 'clip', id, dataset, file, clip, rawSource, ghost: null, qa: null, transport },
          note: null,
        }
      );
    },
  };
}

export function gridOpening(deps: OpeningDeps, dataset: string, robot: RobotFacts, found: FoundClips): Opening {
  const names = found.found.map(({ name }) => name);
  return {
    ...{
      kind: 'grid',
      label: `Loading ${names.length} ${names.length === 1 ? 'clip' : 'clips'}`,
      dataset,
      clips: names,
      robot,
    },
    async open(progress, _id, options) {
      const { clips, note } = await readGridClips(
        found,
        (file) => deps.readClip(file, robot),
        progress.signal,
        (done) => progress.report(`${done} of ${names.length} clips`, done / names.length),
      );
      if (progress.signal.aborted) return null;
      const transport = (await deps.sim.call({ type: 'open-grid', clips, options: options() })) ?? CLOSED;
      const left = note === null ? '' : `; ${note}`;
      progress.outcome(`${countText(clips.length, 'clip')} of ${dataset} loaded as a grid${left}`);
      return { opened: { kind: 'grid', dataset, clips, transport }, note };
    },
  };
}

/** @param read reads the recording on another thread */
export function recordingOpening(
  deps: Pick<OpeningDeps, 'sim'>,
  name: string,
  robot: RobotFacts,
  read: () => Promise<RecordedScene>,
): Opening {
  return {
    ...{ kind: 'open', label: `Opening ${name}`, dataset: null, clips: [], robot },
    async open(progress, _id, options) {
      progress.report('reading the recording');
      const recorded = await read();
      if (progress.signal.aborted) return null;
      const transport = (await deps.sim.call({ type: 'open-recording', recorded, options: options() })) ?? CLOSED;
      progress.outcome(`Recording ${name} opened: ${framesText(recorded)}`);
      return { opened: { kind: 'recording', dataset: null, recorded, transport }, note: null };
    },
  };
}

function framesText({ frames, fps }: Pick<ClipRows, 'frames' | 'fps'>): string {
  return `${countText(frames, 'frame')} at ${Number(fps.toFixed(2))} a second`;
}

/** Reads the raw file of a converted clip. Returns null for a raw clip, or if the dataset has no raw file of the
 *  clip. */
async function readRawSource(
  deps: OpeningDeps,
  { library, dataset, clip, file: npz, robot }: ClipToOpen,
): Promise<ClipSource | null> {
  if (npz.source === 'raw') return null;
  const raw = async (name: string): Promise<ClipFile | null> => {
    try {
      return await library.resolve(dataset, name, 'raw');
    } catch (error) {
      if (error instanceof StudioError) return null;
      throw error;
    }
  };
  const own = await raw(clip);
  const base = own ? null : mirroredFrom(clip);
  const file = own ?? (base === null ? null : await raw(base));
  const rows = file && (await deps.readSource(npz, file, robot, own === null));
  return rows && { file: `${path.basename(file.path)}${own ? '' : ', mirrored'}`, rows };
}
