import path from 'node:path';
import type { CheckSettings } from '../../checks/threshold.ts';
import { messageOf } from '../../core/errors.ts';
import { Mutex } from '../../core/mutex.ts';
import { previewQa } from '../../data/clip/clip-findings.ts';
import type { ClipTarget } from '../../data/clip/load-clip.ts';
import { ClipIndex } from '../../data/index/clip-index.ts';
import type { JobRegistry } from '../../jobs/job-registry.ts';
import { DEFAULT_INPUT_FPS } from '../../motion/conversion-options.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import { type AppContext, logWatchErrors } from '../app-context.ts';
import { BasicClips } from './basic-clips.ts';
import { CheckSweeps } from './check-sweeps.ts';
import { ClipChecks } from './clip-checks.ts';
import { layoutOf } from './clip-columns.ts';
import { ClipEdits } from './clip-edits.ts';
import type { ClipFile } from './clip-library.ts';
import { Conversion } from './conversion.ts';
import { DataListing } from './data-listing.ts';
import { DataPreview } from './data-preview.ts';
import { DatasetEditor } from './dataset-editor.ts';
import { DatasetMeasures } from './dataset-measures.ts';
import { DatasetStores } from './dataset-stores.ts';
import { dataRestorer } from './restore-data.ts';

/** Creates the modules for datasets, their checks, the preview and conversions. Threads of the pools read the files.
 *  @param settings check thresholds set by the user; a missing threshold has its default value */
export function createData(context: AppContext, jobs: JobRegistry, settings: CheckSettings) {
  const { places, selected, logger } = context;
  const index = new ClipIndex({
    cache: path.join(places.cache, 'clips'),
    onError: (error) => logger.warn({ err: error }, `the index of clips: ${messageOf(error)}`),
  });
  const checks = createChecks(context, index, settings);
  const stores = new DatasetStores(context, index, checks);
  const sweeps = new CheckSweeps({ checks, stores, selected, logger: logger.child('data') });
  const data = new DataListing({
    ...context,
    robot: () => selected.facts(),
    library: (robot) => stores.ofRobot(robot),
  });
  const changes = new Mutex();
  const edits = createEdits(context, stores, changes);
  const preview = createPreview(context, stores, checks, edits);
  const datasets = createEditor(context, stores, changes);
  const store = (robot: string) => stores.of(robot);
  const restorer = dataRestorer({ dataFolder: places.data, changes, editor: datasets, store });
  for (const kind of ['dataset', 'clip'] as const) context.trash.connect(kind, restorer);
  const measures = new DatasetMeasures({
    stores,
    selected,
    logger: logger.child('data'),
    measured: (dataset) => data.countsChanged(dataset),
  });
  connect(context, { data, preview, sweeps, measures });
  return {
    data,
    preview,
    datasets,
    edits,
    basics: new BasicClips({
      busy: context.busy,
      robot: () => selected.clipRobot(),
      store: (robot) => stores.of(robot.facts.id),
      write: (robot, folder) => context.pool.run('writeBasicClips', robot, folder),
    }),
    conversion: createConversion(context, stores, jobs),
    stores,
    async close(): Promise<void> {
      stores.close();
      sweeps.close();
      measures.close();
      checks.close();
      datasets.close();
      await index.close();
    },
  };
}

interface Connected {
  readonly data: DataListing;
  readonly preview: DataPreview;
  readonly sweeps: CheckSweeps;
  readonly measures: DatasetMeasures;
}

/** Subscribes to changes of datasets, of robots and of the preview. */
function connect(context: AppContext, { data, preview, sweeps, measures }: Connected): void {
  const { events, hub, selected, uses, logger } = context;
  const onError = logWatchErrors(context);
  /** Lists the datasets and measures those without measurements. */
  const listNew = () => {
    const { id } = selected.facts();
    data.datasets().then(
      ({ robot, datasets }) => {
        for (const { name, scan } of datasets) if (scan === null) measures.request(robot, name);
      },
      (error: unknown) => logger.warn({ err: error }, `data of ${id}: ${messageOf(error)}`),
    );
  };
  uses.connect({ previews: () => preview.uses() });
  events.on('dataset-changed', ({ robot, dataset }) => {
    if (robot !== selected.facts().id) return;
    data.countsChanged(dataset);
    if (dataset === null) return listNew();
    sweeps.request(robot, dataset);
    measures.request(robot, dataset);
    preview.filesChanged(dataset).catch(onError);
  });
  events.on('clips-checked', (dataset) => data.countsChanged(dataset));
  events.on('preview-ended', (transport) => preview.playedOut(transport));
  events.on('robot-selected', () => {
    preview.robotSelected();
    // The first listing is the baseline: later listings are compared with it to detect changes.
    listNew();
  });
  hub.subscribe(({ topic, payload }) => {
    if (topic === 'data' && payload.reason === 'scan' && payload.dataset !== null)
      sweeps.request(selected.facts().id, payload.dataset, true);
  });
}

function createChecks({ logger, selected, pool, events }: AppContext, index: ClipIndex, settings: CheckSettings) {
  return new ClipChecks({
    index,
    settings,
    logger: logger.child('data'),
    robot: () => selected.clipRobot(),
    check: (file, format, robot, read, thresholds) => pool.run('checkClipFile', file, format, robot, read, thresholds),
    isIdle: () => pool.figures.running + pool.queued < pool.threads,
    changed: (dataset) => void events.emit('clips-checked', dataset),
  });
}

function createPreview(context: AppContext, stores: DatasetStores, checks: ClipChecks, edits: ClipEdits): DataPreview {
  const { selected, pool } = context;
  return new DataPreview({
    ...context,
    logger: context.logger.child('data'),
    robot: () => selected.facts(),
    library: (robot) => stores.ofRobot(robot),
    readClip: (file, robot) => pool.run('loadClip', file.path, file.format, targetOf(file, robot)),
    loadRecording: (recording) => pool.run('loadRecording', recording),
    computeEdit: async ({ dataset, clip, steps, part = 0 }) =>
      pool.run('previewEdit', await edits.order(dataset, clip, steps), part),
    quality: async ({ file, dataset, clip }, robot) => {
      const quality = await checks.of(file);
      return previewQa(quality, await stores.ofRobot(robot).marksOf(dataset, clip.name));
    },
    readSource: (npz, file, robot, mirrored) => {
      const source = mirrored ? selected.clipRobot() : null;
      return pool.run('loadSource', npz.path, file.path, file.format, targetOf(file, robot), source);
    },
  });
}

function targetOf({ read }: ClipFile, robot: RobotFacts): ClipTarget {
  return { ...layoutOf(robot), fps: DEFAULT_INPUT_FPS, read };
}

function createEditor(context: AppContext, stores: DatasetStores, changes: Mutex): DatasetEditor {
  const { places, selected, pool } = context;
  return new DatasetEditor({
    ...context,
    changes,
    dataFolder: places.data,
    logger: context.logger.child('data'),
    robot: () => selected.facts(),
    store: (robot) => stores.of(robot.id),
    checkClip: (file, format, robot, read) => pool.run('checkClip', file, format, layoutOf(robot), read),
    bundles: {
      isBundle: (file) => pool.run('isBundleFile', file),
      isSource: (file) => pool.run('isNpzSource', file),
      split: (bundle, folder, taken) => pool.run('splitBundle', bundle, folder, taken),
    },
    layouts() {
      const source = selected.clipRobot();
      const { jointNames } = layoutOf(source.facts);
      const robot = { jointNames, rootHeight: source.facts.rootHeight };
      return {
        find: (place, read) => pool.run('findLayout', place, robot, places.data, read),
        writeSonic: (clip, { fps, reading }, folder) =>
          pool.run('writeSonicClip', clip, { fps, reading }, source, folder),
        listEpisodes: (file) => pool.run('listEpisodes', file),
        writeLeRobot: (file, episodes, { reading }, folder) =>
          pool.run('writeLeRobotEpisodes', file, episodes, reading, jointNames, folder),
      };
    },
  });
}

function createEdits({ busy, selected, pool }: AppContext, stores: DatasetStores, changes: Mutex): ClipEdits {
  return new ClipEdits({
    busy,
    changes,
    robot: () => selected.clipRobot(),
    store: (robot) => stores.of(robot.facts.id),
    edit: (order, target) => pool.run('editClipFile', order, target),
  });
}

function createConversion(context: AppContext, stores: DatasetStores, jobs: JobRegistry): Conversion {
  const { selected, pool } = context;
  return new Conversion({
    jobs,
    logger: context.logger.child('jobs'),
    threads: pool.threads,
    robot: () => selected.clipRobot(),
    dataset: (robot, name) => stores.of(robot.facts.id).conversionSource(name),
    awaitNewFiles: (robot, name) => stores.of(robot.facts.id).awaitNewFiles(name),
    find: async (robot, name, q) => (await stores.of(robot.facts.id).find(name, { q })).map((entry) => entry.name),
    setReadOptions: (robot, name, read) => stores.of(robot.facts.id).setReadOptions(name, read),
    convert: (orders, atOnce) => pool.run('convertClipFiles', orders, atOnce),
    ended: (robot, dataset, clip, error) => stores.of(robot.facts.id).noteConversion(dataset, clip, error),
    written: (robot, dataset) => stores.of(robot.facts.id).refresh(dataset, false),
  });
}
