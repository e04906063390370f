import type { FrameFeed } from '../core/frame-ring.ts';
import type { RootLogger } from '../core/logger.ts';
import type { StudioEvent } from '../protocol/events.ts';
import type { WorkPool } from '../workers/pool/pool.ts';
import type { SimClient } from '../workers/sim/sim-client.ts';
import type { BusyTasks } from './busy-tasks.ts';
import type { BasicClips } from './data/basic-clips.ts';
import type { ClipEdits } from './data/clip-edits.ts';
import type { Conversion } from './data/conversion.ts';
import type { DataListing } from './data/data-listing.ts';
import type { DataPreview } from './data/data-preview.ts';
import type { DatasetEditor } from './data/dataset-editor.ts';
import type { EvaluationReports } from './evaluations/evaluation-reports.ts';
import type { Evaluations } from './evaluations/evaluations.ts';
import type { FailureDatasets } from './evaluations/failure-datasets.ts';
import type { EventHub } from './event-hub.ts';
import type { Exports } from './exports/exports.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { PlayRecords } from './play/play-records.ts';
import type { PlaySessions } from './play/play-sessions.ts';
import type { PlayTransport } from './play/play-transport.ts';
import type { ClipPlots } from './plots/clip-plots.ts';
import type { Presets } from './presets/presets.ts';
import type { Recordings } from './recordings/recordings.ts';
import type { RobotImport } from './robots/robot-import.ts';
import type { Robots } from './robots/robots.ts';
import type { Runs } from './runs/runs.ts';
import type { Curves } from './training/curves.ts';
import type { MetricsViewer } from './training/metrics-viewer.ts';
import type { Trainings } from './training/trainings.ts';
import type { Trash } from './trash/trash.ts';

/** Counters of the worker threads: work done since the start of the service, and number of busy threads. */
export interface ThreadFigures {
  readonly sim: SimClient['figures'];
  readonly pool: WorkPool['figures'];
  /** counters of the thread that lists folders */
  readonly listing: WorkPool['figures'];
}

/** The application: the functions that the gateway's handlers call. */
export interface App {
  readonly hub: EventHub;
  readonly busy: BusyTasks;
  readonly frames: FrameFeed;
  readonly robots: Robots;
  readonly imports: RobotImport;
  readonly data: DataListing;
  readonly preview: DataPreview;
  readonly plots: ClipPlots;
  readonly datasets: DatasetEditor;
  readonly edits: ClipEdits;
  readonly basics: BasicClips;
  readonly conversion: Conversion;
  readonly jobs: Jobs;
  readonly play: PlaySessions;
  readonly transport: PlayTransport;
  readonly records: PlayRecords;
  readonly recordings: Recordings;
  readonly presets: Presets;
  readonly runs: Runs;
  readonly evaluations: Evaluations;
  readonly evaluationReports: EvaluationReports;
  readonly failureDatasets: FailureDatasets;
  readonly exports: Exports;
  readonly training: Trainings;
  readonly curves: Curves;
  readonly metricsViewer: MetricsViewer;
  readonly trash: Trash;
  /** Returns the events that a new client gets before any frame: owner, robot, focus, play, data, busy tasks. */
  snapshot(): Promise<readonly StudioEvent[]>;
  threads(): ThreadFigures;
  /** The latest lines of the log. */
  readonly log: Pick<RootLogger, 'recent'>;
}
