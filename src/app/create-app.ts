import type { CheckSettings } from '../checks/threshold.ts';
import type { StudioEvent } from '../protocol/events.ts';
import { recoverRobots } from '../robot-import/uploads/install-robot.ts';
import type { App } from './app.ts';
import type { AppContext } from './app-context.ts';
import { createData } from './data/create-data.ts';
import { createEvaluationReports } from './evaluations/create-evaluation-reports.ts';
import { createEvaluations } from './evaluations/create-evaluations.ts';
import { createExports } from './exports/create-exports.ts';
import { createJobs } from './jobs/create-jobs.ts';
import { createPlay, type PlaySettings, playRuns } from './play/create-play.ts';
import { createPlots } from './plots/create-plots.ts';
import { createPresets } from './presets/create-presets.ts';
import { createRecordings } from './recordings/create-recordings.ts';
import { recoverScene } from './recover-scene.ts';
import { createRegistry, createRobots, keepFormerRobot } from './robots/create-robots.ts';
import { createRuns } from './runs/create-runs.ts';
import { readState } from './saved-state.ts';
import { createTraining } from './training/create-training.ts';
import { createTrainers, type TrainingSettings } from './training/trainers.ts';
import { watchWorkspace } from './watch-workspace.ts';

export interface AppOptions {
  readonly play: PlaySettings;
  readonly training: TrainingSettings;
  /** check thresholds set by the user; a missing threshold has its default */
  readonly qa: CheckSettings;
  /** version of the service, for the protocol of evaluations */
  readonly version: string;
}

export interface RunningApp extends App {
  close(): Promise<void>;
}

/** Builds the application module by module. Then lists the robots of the workspace and selects the robot that was
 *  selected when the service last stopped. */
export async function createApp(context: AppContext, options: AppOptions): Promise<RunningApp> {
  const { places } = context;
  const trainers = createTrainers(context, options.training);
  const jobs = createJobs(context, trainers);
  const registry = createRegistry(context);
  const data = createData(context, jobs.registry, options.qa);
  const plots = createPlots(context, data.preview);
  const presets = createPresets(context);
  const runs = createRuns(context, registry, jobs.registry);
  const content = playRuns(context, { runs, stores: data.stores });
  const evaluations = createEvaluations(context, { jobs: jobs.registry, runs, content, version: options.version });
  const play = createPlay(context, options.play, {
    runs: content,
    evaluation: (name) => evaluations.get(name, 'evaluation'),
  });
  const training = createTraining(context, trainers, { jobs: jobs.registry, runs, presets, stores: data.stores });
  const robots = createRobots(context, { registry, stores: data.stores, presets, runs, play: play.play });
  const recordings = createRecordings(context, { registry, robots: robots.robots, play: play.play });
  recoverScene(context, { ...robots, preview: data.preview, play: play.play });
  const watches = watchWorkspace(context, { registry, stores: data.stores, presets, runs });

  const saved = await readState(places.state);
  await context.trash.ready;
  await recoverRobots(places.robots, keepFormerRobot(context));
  await registry.refresh();
  robots.story.started();
  await robots.imports.restore();
  await context.sim.ready;
  await robots.robots.restore(saved.robot ?? null);

  const { hub, busy, owner, sim, pool, listing } = context;
  return {
    trash: context.trash,
    ...{ hub, busy, frames: sim, jobs, plots, presets, runs, log: context.logger },
    ...{ robots: robots.robots, imports: robots.imports },
    ...{ data: data.data, preview: data.preview, datasets: data.datasets, conversion: data.conversion },
    edits: data.edits,
    basics: data.basics,
    evaluations,
    exports: createExports(context, { runs, content }),
    recordings,
    ...createEvaluationReports(context, { evaluations, edits: data.edits, stores: data.stores }),
    ...{ play: play.play, transport: play.transport, records: play.records },
    ...{ training: training.training, curves: training.curves, metricsViewer: training.metricsViewer },
    threads: () => ({ sim: sim.figures, pool: pool.figures, listing: listing.figures }),
    snapshot: async (): Promise<readonly StudioEvent[]> => [
      owner.snapshot(),
      robots.robots.snapshot(),
      ...play.play.snapshot(),
      data.preview.snapshot(),
      ...recordings.snapshot(),
      ...busy.list().active.map((payload): StudioEvent => ({ type: 'event', topic: 'busy', payload })),
    ],
    async close(): Promise<void> {
      for (const watch of watches) watch.close();
      await Promise.all([recordings.close(), runs.close()]);
      await Promise.all([data.close(), training.close(), play.play.close(), jobs.close()]);
    },
  };
}
