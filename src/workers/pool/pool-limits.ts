import type { PoolTasks } from './pool-tasks.ts';

/** The time limit of a pool task. */
export interface TaskLimit<T extends keyof PoolTasks = keyof PoolTasks> {
  /** describes the task in messages: `reading the clip` */
  readonly doing: string;
  /** Returns the maximum wall time of one call, s: many times the duration for the largest usual input on a busy
   *  machine. */
  seconds(...args: Parameters<PoolTasks[T]>): number;
}

const SHORT_S = 30;
const FILE_S = 120;
/** Time limit, s, for one very large file, such as a bundle of a whole dataset. */
const LARGE_S = 600;
const A_CLIP_S = 2;

const always = (seconds: number) => (): number => seconds;
const each =
  (seconds: number) =>
  (many: readonly unknown[]): number =>
    FILE_S + seconds * many.length;

/** Wall time limits of all tasks. A task that exceeds its limit fails, and its thread is terminated. */
export const TASK_LIMITS: { readonly [T in keyof PoolTasks]: TaskLimit<T> } = {
  checkClip: { doing: 'checking the clip', seconds: always(LARGE_S) },
  checkClipFile: { doing: 'checking the clip', seconds: always(LARGE_S) },
  convertClipFiles: { doing: 'converting the clip', seconds: always(2 * LARGE_S) },
  editClipFile: { doing: 'editing the clip', seconds: always(LARGE_S) },
  writeBasicClips: { doing: 'generating clips', seconds: always(LARGE_S) },
  previewEdit: { doing: 'editing the clip', seconds: always(LARGE_S) },
  readClipFacts: { doing: 'reading the clip', seconds: always(FILE_S) },
  readManyFacts: { doing: 'reading clips', seconds: each(A_CLIP_S) },
  listFolder: { doing: 'listing the folder', seconds: always(FILE_S) },
  isBundleFile: { doing: 'reading the file', seconds: always(FILE_S) },
  isNpzSource: { doing: 'reading the file', seconds: always(FILE_S) },
  splitBundle: { doing: 'splitting the bundle', seconds: always(2 * LARGE_S) },
  findLayout: { doing: 'recognising the dataset', seconds: always(FILE_S) },
  writeSonicClip: { doing: 'reading the clip', seconds: always(LARGE_S) },
  listEpisodes: { doing: 'listing the episodes', seconds: always(LARGE_S) },
  writeLeRobotEpisodes: { doing: 'reading the episodes', seconds: always(LARGE_S) },
  readConversions: { doing: 'reading the conversion options of clips', seconds: each(A_CLIP_S) },
  loadClip: { doing: 'loading the clip', seconds: always(LARGE_S) },
  loadSource: { doing: 'loading the source of the clip', seconds: always(LARGE_S) },
  plotClipRange: { doing: 'computing the plots of the clip', seconds: always(LARGE_S) },
  formatClipPlots: { doing: 'writing the plots of the clip', seconds: always(FILE_S) },
  loadMotionLibrary: { doing: 'loading the motion library', seconds: (files) => LARGE_S + A_CLIP_S * files.length },
  readMotionFacts: { doing: 'reading the clip', seconds: always(FILE_S) },
  recordNpz: { doing: 'writing the record', seconds: always(FILE_S) },
  recordCsv: { doing: 'writing the record', seconds: always(FILE_S) },
  listRecordings: { doing: 'listing the recordings', seconds: always(FILE_S) },
  loadRecording: { doing: 'loading the recording', seconds: always(LARGE_S) },
  writeExploded: { doing: 'writing the recording', seconds: always(FILE_S) },
  finishRecordings: { doing: 'completing recordings', seconds: always(2 * LARGE_S) },
  groundBytes: { doing: 'computing the ground', seconds: always(SHORT_S) },
  findPrepared: { doing: 'reading the robot', seconds: always(FILE_S) },
  surveyUpload: { doing: 'listing the upload', seconds: always(FILE_S) },
  surveyUploads: { doing: 'listing uploads', seconds: always(FILE_S) },
  rankUpload: { doing: 'finding the main model', seconds: always(FILE_S) },
  readGainsFile: { doing: 'reading gains', seconds: always(SHORT_S) },
  treeBytes: { doing: 'measuring the trash', seconds: always(FILE_S) },
  sweepRuns: { doing: 'listing runs', seconds: always(FILE_S) },
  scanRun: { doing: 'listing the run', seconds: always(SHORT_S) },
  readRunIdentity: { doing: 'reading the run', seconds: always(SHORT_S) },
  readRunIdentities: { doing: 'reading runs', seconds: each(A_CLIP_S) },
  readNewScalars: { doing: 'reading event files', seconds: always(FILE_S) },
  curvesReply: { doing: 'computing the curves', seconds: always(FILE_S) },
  readCheckpointShape: { doing: 'reading the checkpoint', seconds: always(FILE_S) },
  tryTraining: { doing: 'checking the training', seconds: (order) => FILE_S + A_CLIP_S * order.clips.length },
  readRunSetup: { doing: 'reading the run', seconds: always(FILE_S) },
  scanEvaluations: { doing: 'listing evaluations', seconds: always(FILE_S) },
  formatStored: { doing: 'writing the report', seconds: always(FILE_S) },
  compareStored: { doing: 'comparing the evaluations', seconds: always(FILE_S) },
  stretchesOfStored: { doing: 'reading the failures', seconds: always(FILE_S) },
  readEvaluation: { doing: 'reading the evaluation', seconds: always(FILE_S) },
  scanExports: { doing: 'listing exports', seconds: always(FILE_S) },
  exportBundle: { doing: 'exporting the policy', seconds: always(4 * LARGE_S) },
  zipExport: { doing: 'packing the bundle', seconds: always(FILE_S) },
  readBundleRecord: { doing: 'reading the bundle', seconds: always(FILE_S) },
  checkBundle: { doing: 'testing the bundle', seconds: always(FILE_S) },
  readEmbeddedLibrary: { doing: 'reading the embedded clip', seconds: always(FILE_S) },
};
