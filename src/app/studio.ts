import type { FrameFeed } from '../core/frame-ring.ts';
import type { RootLogger } from '../core/logger.ts';
import type { TaskConfig } from '../mdp/task-config.ts';
import type { ClipPlotPart } from '../plots/clip-channels.ts';
import type { StudioEvent } from '../protocol/events.ts';
import type { BodyOf, QueryOf, ReplyOf } from '../protocol/route.ts';
import type {
  convertDataset,
  downloadClip,
  importDataset,
  listClips,
  loadClip,
  loadGrid,
} from '../protocol/routes/data.ts';
import type {
  configurePlay,
  downloadPlayRecord,
  listPlayClips,
  listPlayLibraries,
  pinClip,
  pushRobot,
  setPlayOptions,
} from '../protocol/routes/play.ts';
import type { getPlayPlots } from '../protocol/routes/plots.ts';
import type {
  getModule,
  getPreset,
  getPresetSchema,
  listPresets,
  writeModule,
  writePreset,
} from '../protocol/routes/presets.ts';
import type { checkDraft, getImportState, inspectModel, listModelFiles } from '../protocol/routes/robot-import.ts';
import type { getRobotSpec, listRobots } from '../protocol/routes/robots.ts';
import type { getCurves, launchTraining } from '../protocol/routes/training.ts';
import type { DataOptions, DatasetCounts, Preview } from '../protocol/schemas/data.ts';
import type { Job, Launcher, Run, Trainer } from '../protocol/schemas/jobs.ts';
import type { PlayOptions, PlaySession, PlayState } from '../protocol/schemas/play.ts';
import type { Task } from '../protocol/schemas/presets.ts';
import type { Robot, RobotSpec, SceneModel, Wiring } from '../protocol/schemas/robots.ts';
import type { BusyTasks } from './busy-tasks.ts';
import type { EventHub } from './event-hub.ts';

/** Bytes with the identity of their content, for conditional requests. */
export interface Tagged<T> {
  readonly content: T;
  /** strong, without quotes */
  readonly etag: string;
}

export interface RobotsArea {
  list(): Promise<ReplyOf<typeof listRobots>>;
  /** The robot on stage. The same object while nothing of it changes: whoever asks often pays for it once. */
  selected(): Tagged<Robot>;
  /** Slow. @returns the busy task's name @throws bad_input for an unknown robot */
  select(name: string): string;
  /** Settles when the next frame shows it. @returns the value as applied, clamped to the joint's range */
  pose(joint: string, value: number): Promise<number>;
  reset(zero: boolean): Promise<void>;
  show(): Promise<void>;
  setOptions(options: { show_wiring?: boolean | undefined }): Promise<{ show_wiring: boolean }>;
  model(): Tagged<SceneModel>;
  modelBin(): Tagged<Uint8Array>;
  terrainBin(): Tagged<Uint8Array>;
}

export interface ImportArea {
  state(): Promise<ReplyOf<typeof getImportState>>;
  /** Puts a file into an upload, whole. @param chunks its bytes; what they throw undoes everything
   *  @returns how many they were @throws bad_input for an id or path that cannot be, too_large, disk_full */
  upload(id: string, path: string, chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number>;
  /** Makes an upload of a folder of this machine. @throws bad_input, too_large, disk_full */
  copy(id: string, source: string, signal: AbortSignal): Promise<{ files: number; bytes: number }>;
  /** @throws bad_input for an unknown upload */
  files(id: string): Promise<ReplyOf<typeof listModelFiles>>;
  removeUpload(id: string): Promise<void>;
  /** Makes the draft. @throws bad_input for a model that is none, conflict when a newer inspection takes its place */
  inspect(id: string, model: string, signal: AbortSignal): Promise<ReplyOf<typeof inspectModel>>;
  /** Shows the draft; settles when the next frame shows it. @throws bad_input without a draft, or for unknown bodies */
  preview(wiring: Wiring, signal: AbortSignal): Promise<void>;
  check(spec: RobotSpec, signal: AbortSignal): Promise<ReplyOf<typeof checkDraft>>;
  /** Makes a robot of an upload. @throws bad_input naming the field that is wrong, conflict while a job uses the former */
  save(spec: RobotSpec, signal: AbortSignal): Promise<{ id: string; task: string }>;
  /** Leaves the import view; the upload stays. */
  cancel(): Promise<void>;
  /** @throws bad_input for a robot that was not created here */
  spec(robot: string): Promise<ReplyOf<typeof getRobotSpec>>;
  /** Deletes a robot. @throws bad_input for the built-in one, conflict while it is in use */
  remove(robot: string): Promise<void>;
}

export interface DataArea {
  datasets(): Promise<{ robot: string; datasets: DatasetCounts[] }>;
  clips(query: QueryOf<typeof listClips>): Promise<ReplyOf<typeof listClips>>;
  joints(): { joints: { name: string; lower: number | null; upper: number | null }[] };
}

export interface PreviewArea {
  state(): Promise<Preview>;
  /** Slow. @returns the busy task's name @throws bad_input for an unknown dataset or clip */
  load(body: BodyOf<typeof loadClip>): Promise<string>;
  /** Slow. @returns the busy task's name @throws bad_input for what is unknown, or where no clip is left to show */
  grid(body: BodyOf<typeof loadGrid>): Promise<string>;
  close(): Promise<void>;
  /** Transport. @throws conflict with nothing open */
  seekFrame(frame: number): Promise<Preview>;
  seekTime(time: number): Promise<Preview>;
  setPlaying(playing: boolean | undefined): Promise<Preview>;
  setOptions(options: Partial<DataOptions>): Promise<Preview>;
}

export interface JobsArea {
  /** Newest first. */
  list(): { jobs: Job[] };
  /** @param tail how many of its last log lines @throws bad_input for an unknown job */
  get(name: string, tail?: number): Promise<Job & { log: string[] }>;
  /** The file of its whole log, complete up to now. @throws bad_input for an unknown job */
  logFile(name: string): Promise<string>;
  /** Nothing to do for one that has ended. @throws bad_input for an unknown job */
  stop(name: string): void;
  /** Waits for one that is stopping. @throws bad_input for an unknown job, conflict for one that is queued or running */
  forget(name: string, signal: AbortSignal): Promise<void>;
}

export interface TrainingArea {
  /** What trains, and where. */
  choices(): { trainers: Trainer[]; launchers: Launcher[] };
  /** Checks a training whole, then starts it, or tells what it would do. @param signal aborted: there is no job
   *  @throws bad_input naming the field that is wrong, disk_full */
  launch(body: BodyOf<typeof launchTraining>, signal: AbortSignal): Promise<ReplyOf<typeof launchTraining>>;
}

export interface CurvesArea {
  /** The reply as JSON text in UTF-8. @throws bad_input for an unknown job or run */
  get(query: QueryOf<typeof getCurves>): Promise<Tagged<Uint8Array>>;
}

export interface MetricsViewer {
  /** Where metrics are shown, of one run or all. @throws bad_input for an unknown run */
  address(run: string | null, fromThisMachine: boolean): Promise<string>;
}

export interface RunsArea {
  /** Of the selected robot, and those of no known one; changed last first. */
  list(): Promise<{ runs: Run[] }>;
  /** Those that may be chosen for playing. */
  playable(): Promise<{ runs: Run[] }>;
  /** One file of a run, a path on this machine. @throws bad_input for an unknown run or file */
  file(run: string, file: string): Promise<string>;
  /** @throws bad_input for an unknown run, conflict while it is in use */
  remove(run: string): Promise<void>;
}

export interface LibraryArea {
  /** Puts a clip's file into a dataset, whole and checked. @param chunks its bytes; what they throw undoes everything
   *  @throws bad_input for what is no clip of the robot, an unknown or linked dataset, a name that is none; disk_full */
  upload(
    dataset: string,
    file: string,
    chunks: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<{ clip: string; bytes: number; clips: string[] }>;
  /** Lists everything again, at once. */
  uploaded(): Promise<DatasetCounts[]>;
  /** @throws bad_input for a name that is none or taken */
  create(name: string): Promise<void>;
  /** Slow. @returns the busy task's name @throws bad_input for a source without clips, a name that is none or taken */
  import(body: BodyOf<typeof importDataset>): Promise<string>;
  /** Slow. @returns the busy task's name @throws bad_input for an unknown dataset */
  scan(dataset: string): Promise<string>;
  /** The file of a clip, a path on this machine. @throws bad_input */
  download(query: QueryOf<typeof downloadClip>): Promise<string>;
  /** Of a linked one the source stays. @throws conflict while it is in use */
  deleteDataset(dataset: string): Promise<void>;
  /** @param withMirror whether the mirror image that a conversion made of it goes too  @throws conflict while in use */
  deleteClip(dataset: string, clip: string, withMirror: boolean): Promise<void>;
}

export interface ConversionArea {
  /** @returns the job's name @throws bad_input for an unknown dataset or clip, or options that cannot be */
  start(body: BodyOf<typeof convertDataset>): Promise<string>;
}

export interface PresetsArea {
  list(): Promise<ReplyOf<typeof listPresets>>;
  /** Base tasks, then presets that can be used. */
  tasks(): Promise<Task[]>;
  /** The whole configuration of a task of the selected robot, checked. @throws bad_input for an unknown or broken one */
  resolve(task: string): Promise<TaskConfig>;
  /** @throws bad_input for an unknown base task or module */
  /** As `GET /api/presets/schema` answers it. */
  schema(query: QueryOf<typeof getPresetSchema>): Promise<Tagged<Uint8Array>>;
  /** @throws bad_input for an unknown preset */
  preset(name: string): Promise<ReplyOf<typeof getPreset>>;
  /** @throws bad_input naming the field or the path of the knob that is wrong */
  writePreset(name: string, body: BodyOf<typeof writePreset>): Promise<ReplyOf<typeof writePreset>>;
  removePreset(name: string): Promise<void>;
  module(name: string): Promise<ReplyOf<typeof getModule>>;
  writeModule(name: string, body: BodyOf<typeof writeModule>): Promise<ReplyOf<typeof writeModule>>;
  /** Presets that use it stay, and say what they lack. */
  removeModule(name: string): Promise<void>;
}

/** What the threads have done and do. */
export interface ThreadFigures {
  readonly sim: { readonly frames: number; readonly restarts: number };
  readonly pool: PoolFigures;
  /** the thread that listings wait for */
  readonly listing: PoolFigures;
}

export interface PoolFigures {
  /** alive now */
  readonly threads: number;
  readonly limit: number;
  readonly running: number;
  readonly queued: number;
  /** since the start, well or not */
  readonly completed: number;
  /** of them: ended by their wall limit */
  readonly timeouts: number;
  /** of them: ended because their thread had no memory left */
  readonly outOfMemory: number;
}

export interface PlotsArea {
  /** The reply about the clip that is open, as JSON text in UTF-8. @throws conflict where no single clip is open */
  clip(part: ClipPlotPart): Promise<Tagged<Uint8Array>>;
}

export interface PlayArea {
  state(): PlayState;
  /** @throws bad_input for an unknown run, or one that cannot be played */
  libraries(run: string): Promise<ReplyOf<typeof listPlayLibraries>>;
  clips(): ReplyOf<typeof listPlayClips>;
  /** Changes the session in place, or builds one: slow. @throws bad_input naming what is unknown or does not fit */
  /** @param signal aborted: nothing is built */
  configure(body: BodyOf<typeof configurePlay>, signal: AbortSignal): Promise<ReplyOf<typeof configurePlay>>;
  stop(): Promise<void>;
}

/** What can be done to a session that stands; each settles when the next frame shows it. @throws conflict without one */
export interface PlayTransport {
  /** @param playing absent: the other way round @returns whether it plays now */
  setPlaying(playing: boolean | undefined): Promise<boolean>;
  /** Pauses, then one control step. @returns s simulated */
  step(): Promise<number>;
  restart(): Promise<void>;
  pin(body: BodyOf<typeof pinClip>): Promise<void>;
  focus(index: number): Promise<number>;
  setOptions(options: BodyOf<typeof setPlayOptions>): Promise<PlayOptions>;
  push(body: BodyOf<typeof pushRobot>): Promise<void>;
  setRewards(rewards: Readonly<Record<string, number>>): Promise<PlaySession['rewards']>;
}

/** A record as a file that is made while it is sent. */
export interface RecordDownload {
  readonly name: string;
  /** null: not known before the end */
  readonly size: number | null;
  readonly parts: AsyncIterable<Uint8Array>;
}

/** The last minute of a session's environments. @throws conflict without a session */
export interface PlayRecords {
  /** As `GET /api/plots/play` answers it. */
  plots(query: QueryOf<typeof getPlayPlots>): Uint8Array;
  file(query: QueryOf<typeof downloadPlayRecord>): Promise<RecordDownload>;
}

/** The one application object: what the gateway's handlers call. */
export interface Studio {
  readonly hub: EventHub;
  readonly busy: BusyTasks;
  readonly frames: FrameFeed;
  readonly robots: RobotsArea;
  readonly imports: ImportArea;
  readonly data: DataArea;
  readonly preview: PreviewArea;
  readonly plots: PlotsArea;
  readonly library: LibraryArea;
  readonly conversion: ConversionArea;
  readonly jobs: JobsArea;
  readonly play: PlayArea;
  readonly transport: PlayTransport;
  readonly records: PlayRecords;
  readonly presets: PresetsArea;
  readonly runs: RunsArea;
  readonly training: TrainingArea;
  readonly curves: CurvesArea;
  readonly metricsViewer: MetricsViewer;
  /** The events that a new client gets before any frame: owner, robot, focus, play, data, busy tasks. */
  snapshot(): Promise<readonly StudioEvent[]>;
  threads(): ThreadFigures;
  /** The latest lines of the log. */
  readonly log: Pick<RootLogger, 'recent'>;
}
