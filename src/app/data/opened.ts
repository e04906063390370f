import type { ClipRows } from '../../motion/clip-rows.ts';
import type { DataOptions, Preview } from '../../protocol/schemas/data.ts';
import type { LoadedClip } from '../../scene/clip-preview.ts';
import { longestClip } from '../../scene/grid-preview.ts';
import type { Transport } from '../../scene/playback.ts';
import type { RecordedScene } from '../../scene/recorded-scene.ts';
import type { ClipFile } from './clip-library.ts';
import type { Lazy } from './lazy.ts';

/** The raw source of a converted clip. */
export interface ClipSource {
  /** name of its file */
  readonly file: string;
  /** rows exactly as the file contains them */
  readonly rows: ClipRows;
}

/** One clip in the preview. */
export interface OpenedClip {
  readonly kind: 'clip';
  /** number that is unique among all clips opened since the start of the service */
  readonly id: number;
  readonly dataset: string;
  readonly file: ClipFile;
  readonly clip: LoadedClip;
  /** the raw source of the clip; null if the clip was not converted from a raw file */
  readonly rawSource: Lazy<ClipSource | null>;
  /** rows of the raw source that the scene shows as a ghost; null if none is shown */
  ghost: ClipRows | null;
  qa: Preview['qa'];
  /** present if the rows are the result of an edit that has not been saved */
  readonly edit?: NonNullable<Preview['edit']>;
  transport: Transport;
}

/** Several clips that play at the same time. */
interface OpenedGrid {
  readonly kind: 'grid';
  readonly dataset: string;
  readonly clips: readonly LoadedClip[];
  transport: Transport;
}

/** A recording of the scene. */
interface OpenedRecording {
  readonly kind: 'recording';
  readonly dataset: null;
  readonly recorded: RecordedScene;
  transport: Transport;
}

export type Opened = OpenedClip | OpenedGrid | OpenedRecording;

export const CLOSED: Transport = { frame: 0, time: 0, playing: false };

/** Names of the shown clips. */
export function clipNames(opened: Opened): string[] {
  if (opened.kind === 'recording') return [];
  return opened.kind === 'grid' ? opened.clips.map(({ name }) => name) : [opened.clip.name];
}

/** Describes the preview for the API. */
export function previewOf(
  opened: Opened | null,
  { options, loading, error }: { options: DataOptions; loading: boolean; error: string | null },
): Preview {
  const { frame, time, playing } = opened?.transport ?? CLOSED;
  const shown = opened && shownRows(opened);
  const single = opened?.kind === 'clip' ? opened : null;
  const several = opened?.kind === 'grid' ? opened : null;
  return {
    open: opened !== null,
    loading,
    dataset: opened?.dataset ?? null,
    clip: single?.clip.name ?? null,
    source: single?.file.source ?? null,
    frames: shown?.frames ?? 0,
    fps: shown?.fps ?? 0,
    frame,
    time,
    playing,
    options,
    grid: several && { dataset: several.dataset, clips: clipNames(several) },
    recording: opened?.kind === 'recording' ? opened.recorded.name : null,
    edit: single?.edit ?? null,
    qa: single?.qa ?? null,
    error,
  };
}

/** Returns the rows that determine the length of the timeline. */
function shownRows(opened: Opened): { readonly frames: number; readonly fps: number } {
  if (opened.kind === 'recording') return opened.recorded;
  return opened.kind === 'clip' ? opened.clip : longestClip(opened.clips);
}
