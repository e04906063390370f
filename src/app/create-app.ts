import path from 'node:path';
import type { CheckSettings } from '../checks/threshold.ts';
import { messageOf } from '../core/errors.ts';
import { watchFolders } from '../core/files/watch-folders.ts';
import type { RootLogger } from '../core/logger.ts';
import type { ClipFacts } from '../data/clip/clip-facts.ts';
import { DatasetStore } from '../data/dataset-store.ts';
import { ClipIndex } from '../data/index/clip-index.ts';
import type { StudioEvent } from '../protocol/events.ts';
import { recoverRobots } from '../robot-import/uploads/install-robot.ts';
import { sweepPrepared } from '../robots/prepared-robot.ts';
import type { RobotFacts } from '../robots/robot-facts.ts';
import { RobotRegistry } from '../robots/robot-registry.ts';
import { RunStore } from '../runs/store/run-store.ts';
import { TaskLimitError, WorkPool } from '../workers/pool/pool.ts';
import { checkInThread, inspectInThread } from '../workers/robots/import-robot.ts';
import { prepareInThread } from '../workers/robots/prepare-robot.ts';
import { SimClient } from '../workers/sim/sim-client.ts';
import type { App } from './app.ts';
import { BusyTasks } from './busy-tasks.ts';
import { ClipChecks } from './data/clip-checks.ts';
import type { ClipFile } from './data/clip-library.ts';
import { ClipPlots } from './data/clip-plots.ts';
import { Conversion } from './data/conversion.ts';
import { DataListing } from './data/data-listing.ts';
import { DataPreview } from './data/data-preview.ts';
import { DatasetEditor } from './data/dataset-editor.ts';
import { EventHub } from './event-hub.ts';
import { Jobs } from './jobs/jobs.ts';
import { createPlay } from './play/create-play.ts';
import { Presets } from './presets/presets.ts';
import { DraftScene } from './robots/draft-scene.ts';
import { RobotImport } from './robots/robot-import.ts';
import { Robots } from './robots/robots.ts';
import { modelVersions } from './robots/staged-robot.ts';
import { Runs } from './runs/runs.ts';
import { readState, writeState } from './saved-state.ts';
import { OwnerStack } from './scene-owner.ts';
import { RobotStory } from './story/robot-story.ts';
import { TaskStory } from './story/task-story.ts';
import { createTraining, type TrainingSettings, trainingPlaces } from './training/create-training.ts';
import { Uses } from './uses.ts';

/** Folders and files of a workspace that the application works in; all exist. */
export interface Places {
  readonly robots: string;
  readonly data: string;
  readonly jobs: string;
  /** presets and modules, a folder a robot */
  readonly config: string;
  /** `logs/rsl_rl` */
  readonly runs: string;
  readonly cache: string;
  /** state.json: what survives a restart */
  readonly state: string;
}

export interface AppOptions {
  readonly places: Places;
  /** frames a second while the scene moves */
  readonly streamFps: number;
  /** 0: as many as cores */
  readonly poolThreads: number;
  /** most environments of a play session; its threads, 0: as cores allow */
  readonly play: { readonly maxEnvs: number; readonly threads: number };
  readonly training: TrainingSettings;
  /** thresholds of the checks on clips that differ from their defaults */
  readonly qa: CheckSettings;
  readonly logger: RootLogger;
}

export interface RunningApp extends App {
  close(): Promise<void>;
}

/** A sim worker that dies this often within a minute is given only the robot, then nothing. */
const CRASHES_WITH_CLIP = 2;
const CRASHES_WITH_ROBOT = 4;

/** Builds the application: finds robots and data, starts the simulation and puts the robot chosen last on stage. */
export async function createApp(options: AppOptions): Promise<RunningApp> {
  const { places, logger } = options;
  const hub = new EventHub();
  const stopLog = logger.subscribe((line) => hub.publish('log', line));
  const taskStory = new TaskStory(logger);
  const busy = new BusyTasks(hub, taskStory.ended);
  const owner = new OwnerStack(hub);
  const poolError = (error: Error) =>
    logger.warn({ err: error }, `a thread for work on files died and is replaced: ${error.message}`);
  const pool = new WorkPool({ threads: options.poolThreads, onError: poolError });
  // What a listing waits for must not wait for conversions.
  const listing = new WorkPool({ threads: 1, onError: poolError, priority: 'normal' });
  const root = path.dirname(places.data);
  const training = trainingPlaces(options.training, root, places.runs, logger.child('jobs'));
  const jobs = new Jobs({ folder: places.jobs, hub, logger, detached: training });
  const preparedCache = path.join(places.cache, 'robots');
  sweepPrepared(preparedCache);

  const crashes: number[] = [];
  const sim = new SimClient(options.streamFps, {
    playedOut: (transport) => preview.playedOut(transport),
    warning: (message) => logger.warn(message),
    crashed: (error) => {
      logger.warn({ err: error }, `the simulation thread died and is replaced: ${error.message}`);
      rebuild().catch((cause: unknown) =>
        logger.error({ err: cause }, `the scene was not rebuilt: ${messageOf(cause)}`),
      );
    },
  });

  const registry = new RobotRegistry(
    places.robots,
    (source) => prepareInThread({ source, cache: preparedCache }),
    (id) => {
      robotStory.changed(id);
      return robots
        .changedOnDisk(id)
        .catch((error: unknown) => logger.error({ err: error }, `robot ${id} was not reloaded: ${messageOf(error)}`));
    },
    (source) => listing.run('findPrepared', source, preparedCache),
  );

  const robotStory = new RobotStory(logger.child('robots'), (id) => (registry.has(id) ? registry.find(id) : null));

  const index = new ClipIndex({
    cache: path.join(places.cache, 'clips'),
    onError: (error) => logger.warn({ err: error }, `the index of clips: ${messageOf(error)}`),
  });
  const libraries = new Map<string, DatasetStore>();
  const library = (robot: string): DatasetStore => {
    let store = libraries.get(robot);
    if (!store) {
      store = new DatasetStore({
        folder: path.join(places.data, robot),
        robot,
        index,
        facts: (file, format) => listing.run('readClipFacts', file, format).catch(unreadable),
        manyFacts: (files) => pool.run('readManyFacts', files),
        list: (folder, kind) => listing.run('listFolder', folder, kind),
        conversions: (files) => listing.run('readConversions', files),
        qa: (dataset, file, fps) => quality.summary(robot, dataset, file, fps),
        unplayable: (file, fps) => quality.problem(robot, file, fps),
        onChange: (dataset) => {
          if (robot !== robots.facts().id) return;
          data.countsChanged(dataset);
          quality.sweep(robot, dataset);
          if (dataset !== null) preview.filesChanged(dataset).catch(logWatch);
        },
        onError: logWatch,
      });
      libraries.set(robot, store);
    }
    return store;
  };
  const uses = new Uses({
    jobs: () => jobs.registry.active(),
    sessions: () => play.uses(),
    previews: () => preview.uses(),
  });
  const runs = new Runs({
    store: new RunStore(places.runs, {
      scanAll: (root) => listing.run('scanRuns', root),
      scan: (root, runDir, run) => listing.run('scanRun', root, runDir, run),
      identity: (folder) => listing.run('readRunIdentity', folder),
    }),
    logger: logger.child('jobs'),
    robots: () =>
      registry.list().map(({ id, prepared }) => ({
        id,
        jointNames: prepared?.facts.joints.map((joint) => joint.name) ?? null,
      })),
    selected: () => robots.facts().id,
    jobs: jobs.registry,
    uses,
  });
  const presets = new Presets({
    folder: places.config,
    hub,
    logger: logger.child('presets'),
    robot: () => robots.facts(),
    onTasks: () => robots.tasksChanged(),
  });
  const nextVersion = modelVersions();
  const draft = new DraftScene({ sim, owner, nextVersion });
  const robots = new Robots({
    hub,
    busy,
    sim,
    owner,
    registry,
    logger: logger.child('robots'),
    nextVersion,
    draft: () => draft.viewer,
    ground: () => play.ground,
    datasetsOf: (robot) => library(robot).datasets(),
    tasksOf: (facts) => presets.tasksOf(facts),
    loadTasks: (robot) => presets.load(robot),
    runsByRobot: () => runs.pathsByRobot(),
    rememberSelected: (robot) => writeState(places.state, { robot }),
    onSelected: (facts) => {
      preview.robotSelected();
      play.robotSelected();
      presets.logBroken();
      // Looked at once, so that a later change is known for one.
      data
        .datasets()
        .catch((error: unknown) => logger.warn({ err: error }, `data of ${facts.id}: ${messageOf(error)}`));
    },
  });
  const quality = new ClipChecks({
    index,
    settings: options.qa,
    logger: logger.child('data'),
    robot: () => robots.clipRobot(),
    store: library,
    check: (file, format, robot, fps, settings) => pool.run('checkClipFile', file, format, robot, fps, settings),
    isIdle: () => pool.figures.running + pool.queued < pool.threads,
    changed: (dataset) => data.countsChanged(dataset),
  });
  hub.subscribe(({ topic, payload }) => {
    if (topic === 'data' && payload.reason === 'scan') quality.sweep(robots.facts().id, payload.dataset, true);
  });
  const columnsOf = (robot: RobotFacts) => 7 + robot.joints.length;
  const targetOf = (file: ClipFile, robot: RobotFacts) => ({
    columns: columnsOf(robot),
    jointNames: robot.joints.map((joint) => joint.name),
    fps: file.fps,
  });
  const libraryOf = (robot: RobotFacts): DatasetStore => {
    const store = library(robot.id);
    store.expectColumns(columnsOf(robot));
    return store;
  };
  const data = new DataListing({ hub, robot: () => robots.facts(), library: libraryOf });
  const preview = new DataPreview({
    hub,
    busy,
    sim,
    owner,
    logger: logger.child('data'),
    robot: () => robots.facts(),
    library: libraryOf,
    readClip: (file, robot) => pool.run('loadClip', file.path, file.format, targetOf(file, robot)),
    quality: (opened) => quality.of(opened.file),
    readSource: (npz, file, robot, mirrored) => {
      const source = mirrored ? robots.clipRobot() : null;
      return pool.run('loadSource', npz.path, file.path, file.format, targetOf(file, robot), source);
    },
  });
  const plots = new ClipPlots({
    preview,
    robot: () => robots.clipRobot(),
    threads: pool.threads,
    plotRange: (robot, work) => pool.run('plotClipRange', robot, work),
    formatPlots: (robot, order) => pool.run('formatClipPlots', robot, order),
  });

  const datasets = new DatasetEditor({
    dataFolder: places.data,
    hub,
    busy,
    logger: logger.child('data'),
    robot: () => robots.facts(),
    store: (robot) => library(robot.id),
    checkClip: (file, format, robot) =>
      pool.run('checkClip', file, format, {
        columns: columnsOf(robot),
        jointNames: robot.joints.map((joint) => joint.name),
      }),
    bundles: {
      isBundle: (file) => pool.run('isBundleFile', file),
      split: (bundle, folder, taken) => pool.run('splitBundle', bundle, folder, taken),
    },
    uses,
  });

  const imports = new RobotImport({
    folder: places.robots,
    hub,
    logger: logger.child('robots'),
    story: robotStory,
    registry,
    files: {
      survey: (folder) => listing.run('surveyUpload', folder),
      surveyAll: (root) => listing.run('surveyUploads', root),
      rank: (folder) => listing.run('rankUpload', folder),
    },
    scene: draft,
    inspect: (folder, robot, signal) => inspectInThread({ folder, draft: robot, cache: preparedCache }, signal),
    check: checkInThread,
    prepare: (source, signal) => prepareInThread({ source, cache: preparedCache }, signal),
    uses,
    retreatFrom: (robot) => robots.retreatFrom(robot),
  });

  const conversion = new Conversion({
    jobs: jobs.registry,
    logger: logger.child('jobs'),
    threads: pool.threads,
    robot: () => robots.clipRobot(),
    dataset: (robot, name) => library(robot.facts.id).conversionSource(name),
    convert: (order) => pool.run('convertClipFile', order),
    ended: (robot, dataset, clip, error) => library(robot.facts.id).noteConversion(dataset, clip, error),
    written: (robot, dataset) => library(robot.facts.id).refresh(dataset),
  });

  const playing = createPlay({
    hub,
    busy,
    sim,
    owner,
    logger: logger.child('play'),
    ...options.play,
    robot: () => robots.clipRobot(),
    nextVersion,
    runs,
    pool,
    listing,
    root,
    library: libraryOf,
  });
  const { play } = playing;
  const { close: closeTraining, ...trainingAreas } = createTraining({
    places: training,
    jobs: jobs.registry,
    logger: logger.child('jobs'),
    runs,
    pool,
    listing,
    runsFolder: places.runs,
    environment: options.training.environment,
    robot: () => robots.clipRobot(),
    task: (name) => presets.resolve(name),
    library: libraryOf,
  });

  /** A new sim worker gets what the old one had, less of it when that is what kills it. */
  async function rebuild(): Promise<void> {
    const now = Date.now();
    crashes.push(now);
    while (crashes[0]! < now - 60_000) crashes.shift();
    if (crashes.length > CRASHES_WITH_CLIP) for (const scene of [preview, play]) scene.robotSelected();
    if (crashes.length > CRASHES_WITH_ROBOT) return;
    await robots.rebuild();
    await preview.rebuild();
    await draft.rebuild();
    await play.rebuild();
  }

  const watches = [
    watchFolders(places.robots, { depth: 8, ignored: isHidden, onError: logWatch }, (folder) => {
      const id = path.relative(places.robots, folder).split(path.sep)[0];
      registry
        .refresh()
        .then(() => id && registry.touch(id))
        .catch(logWatch);
    }),
    // Robots and datasets as they come and go; what is in a dataset it watches itself.
    watchFolders(places.data, { depth: 1, ignored: isHidden, onError: logWatch }, (folder) => {
      const [robot] = path.relative(places.data, folder).split(path.sep);
      if (robot) libraries.get(robot)?.markDirty(folder);
    }),
    presets.watch(logWatch),
  ];
  function logWatch(error: unknown): void {
    logger.warn({ err: error }, `watching the workspace: ${messageOf(error)}`);
  }

  const saved = await readState(places.state);
  await recoverRobots(places.robots);
  await registry.refresh();
  robotStory.started();
  await imports.restore();
  await sim.ready;
  await robots.restore(saved.robot ?? null);

  return {
    hub,
    busy,
    robots,
    imports,
    data,
    preview,
    plots,
    library: datasets,
    conversion,
    jobs,
    ...playing,
    presets,
    runs,
    ...trainingAreas,
    frames: sim,
    async snapshot(): Promise<readonly StudioEvent[]> {
      return [
        { type: 'event', topic: 'owner', payload: { owner: owner.current } },
        robots.snapshot(),
        ...play.snapshot(),
        preview.snapshot(),
        ...busy.list().active.map((payload): StudioEvent => ({ type: 'event', topic: 'busy', payload })),
      ];
    },
    threads: () => ({ sim: sim.figures, pool: pool.figures, listing: listing.figures }),
    log: logger,
    async close(): Promise<void> {
      for (const watch of watches) watch.close();
      for (const store of libraries.values()) store.close();
      quality.close();
      taskStory.close();
      datasets.close();
      // Jobs tell their end before the threads that work for them are gone.
      await Promise.all([
        closeTraining(),
        play.close(),
        sim.close(),
        index.close(),
        jobs.close().then(() => pool.close()),
        listing.close(),
      ]);
      stopLog();
    },
  };
}

/** A clip that takes too long or too much memory to read is listed with that as its error. */
function unreadable(error: unknown): ClipFacts {
  if (error instanceof TaskLimitError) return { frames: null, fps: null, columns: null, error: error.message };
  throw error;
}

function isHidden(entry: string): boolean {
  return path.basename(entry).startsWith('.');
}
