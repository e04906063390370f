import path from 'node:path';
import { StudioError } from '../../core/errors.ts';
import { countText } from '../../core/log/format-numbers.ts';
import { mirroredFrom } from '../../data/conversion/mirror-name.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import type { DataOptions } from '../../protocol/schemas/data.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { SimClient } from '../../workers/sim/sim-client.ts';
import type { Progress } from '../busy-tasks.ts';
import type { ClipFile, ClipLibrary } from './clip-library.ts';
import { type FoundClips, readGridClips } from './grid-clips.ts';
import { Lazy } from './lazy.ts';
import { CLOSED, type ClipSource, type Opened } from './opened.ts';

/** What openings read with and show on. */
export interface OpeningDeps {
  readonly sim: SimClient;
  readClip(file: ClipFile, robot: RobotFacts): Promise<ClipRows>;
  /** Reads the raw source of a converted clip.
   *  @param mirrored the file is of the clip whose mirror image the npz would be; null where it is none */
  readSource(npz: ClipFile, file: ClipFile, robot: RobotFacts, mirrored: boolean): Promise<ClipRows | null>;
}

/** What is to be opened. */
export interface Opening {
  /** of the busy task */
  readonly kind: 'load' | 'reload' | 'grid';
  readonly label: string;
  readonly dataset: string;
  readonly clips: readonly string[];
  readonly robot: RobotFacts;
  /** Reads it and gives it to the scene.
   *  @param options as they are once it has been read
   *  @returns what is open, and what to say of it; null where a newer opening has taken its place meanwhile */
  open(
    progress: Progress,
    id: number,
    options: () => DataOptions,
  ): Promise<{ readonly opened: Opened; readonly note: string | null } | null>;
}

/** A clip of a dataset with its file. */
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
      if (options().ghost) rawSource.get().catch(() => {}); // read along with the clip; told when the ghost is asked for
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

/** The open clip with the rows that its file has by now, at the frame where it stands; what is shown stays. */
export function clipReopening(deps: OpeningDeps, of: ClipToOpen): Opening {
  const { robot, dataset, clip: name, file } = of;
  return {
    ...{ kind: 'reload', label: `Reading ${name} anew`, dataset, clips: [name], robot },
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

function framesText({ frames, fps }: ClipRows): string {
  return `${countText(frames, 'frame')} at ${Number(fps.toFixed(2))} a second`;
}

/** The raw file of a converted clip; null where the dataset has none, and for a raw clip. */
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
