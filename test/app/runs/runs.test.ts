import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EventHub } from '../../../src/app/event-hub.ts';
import type { RunsReply } from '../../../src/app/runs/run-listing.ts';
import { Runs, type RunsDeps } from '../../../src/app/runs/runs.ts';
import { playHandlers } from '../../../src/gateway/routes/play.ts';
import type { ReplyOf } from '../../../src/protocol/route.ts';
import { listPlayRuns } from '../../../src/protocol/routes/play.ts';
import { ChangeLog } from '../../../src/runs/store/change-log.ts';
import { type RunRecord, UNKNOWN_RUN } from '../../../src/runs/store/run-record.ts';

const CHECKPOINT = { name: 'model_1.pt', iteration: 1, modifiedMs: 0 };

function recordOf(path: string, more: Partial<RunRecord> = {}): RunRecord {
  const [runDir = '', run = ''] = path.split('/');
  return {
    ...UNKNOWN_RUN,
    path,
    runDir,
    run,
    folder: `/logs/${path}`,
    format: 'studio',
    robot: 'humanoid',
    checkpoints: [CHECKPOINT],
    createdMs: 0,
    modifiedMs: 0,
    error: null,
    ...more,
  };
}

/** Creates the runs of a workspace in which the humanoid is selected.
 *  @returns also the paths in each `runs` event so far */
function runsOf(records: readonly RunRecord[]) {
  const log = new ChangeLog<RunRecord>();
  for (const record of records) log.set(record.path, record);
  const hub = new EventHub();
  const events: (readonly string[])[] = [];
  hub.subscribe((event) => event.topic === 'runs' && events.push(event.payload.changed));
  const runs = new Runs({
    store: {
      list: async () => records,
      sorted: () => records,
      find: async (path: string) => log.get(path),
      changedSince: (since: Parameters<typeof log.since>[0]) => log.since(since),
    },
    hub,
    robots: () => ['humanoid', 'walker'].map((id) => ({ id, jointNames: null })),
    selected: () => 'humanoid',
    jobs: { list: () => [] },
    trash: { connect: () => {} },
  } as unknown as RunsDeps);
  return { runs, events };
}

test('every changed run is announced, in events of at most 1000 paths', async () => {
  const paths = Array.from({ length: 2500 }, (_, k) => `wbc/${k}`);
  const { runs, events } = runsOf(paths.map((path) => recordOf(path)));
  runs.changedFacts();
  await expect.poll(() => events.flat()).toEqual(paths);
  expect(events.map(({ length }) => length)).toEqual([1000, 1000, 500]);
});

test('the runs to play are all runs of the selected robot and of unknown robots, with the reason why one cannot be played', async () => {
  const { runs } = runsOf([
    recordOf('wbc/good'),
    recordOf('wbc/new', { checkpoints: [] }),
    recordOf('wbc/foreign', { robot: 'walker' }),
    recordOf('wbc/unknown', { robot: 'zebra' }),
  ]);
  const handler = playHandlers.find(({ contract }) => contract === listPlayRuns)!;
  const reply = (await handler.run({ runs } as never, {} as never, null)) as RunsReply;
  const listed = JSON.parse(Buffer.from(reply.content).toString()) as ReplyOf<typeof listPlayRuns>;
  expect(listed.runs.map(({ path, robot, unplayable }) => [path, robot, unplayable])).toEqual([
    ['wbc/good', 'humanoid', null],
    ['wbc/new', 'humanoid', 'it has no checkpoint yet'],
    ['wbc/unknown', null, expect.stringMatching(/no robot "zebra"/)],
  ]);
});

test('a run without checkpoints has motion libraries, but cannot be played; a run of another robot has neither', async () => {
  const { runs } = runsOf([recordOf('wbc/new', { checkpoints: [] }), recordOf('wbc/foreign', { robot: 'walker' })]);
  expect(await runs.ofSelected('wbc/new')).toMatchObject({ path: 'wbc/new' });
  await expect(runs.forPlay('wbc/new')).rejects.toThrow('run: "wbc/new" has no checkpoint yet');
  for (const find of [() => runs.ofSelected('wbc/foreign'), () => runs.forPlay('wbc/foreign')])
    await expect(find).rejects.toThrow(/^run: "wbc\/foreign" is a run of robot "walker"/);
});

describe('the runs from which a training can start', () => {
  let logs: string;
  beforeEach(() => {
    logs = mkdtempSync(path.join(os.tmpdir(), 'motion-studio-starts-'));
  });
  afterEach(() => rmSync(logs, { recursive: true }));

  const runWith = (name: string, tracked: number, by: 'training' | 'evaluation', library: string | null): RunRecord => {
    const folder = path.join(logs, name);
    mkdirSync(path.join(folder, 'params'), { recursive: true });
    if (library !== null) writeFileSync(path.join(folder, 'params/motion_library.yaml'), library);
    const score = { tracked_s: tracked, horizon_s: 10, success: 1, body_pos: 0.03, by };
    return recordOf(`wbc/${name}`, {
      folder,
      task: 'T',
      training: { startedFrom: null, seconds: 60, score, scored: null },
    });
  };

  test('the one that tracks the largest share is first; a run on short clips does not count its new starts', async () => {
    const unreadable = runWith('unreadable', 4, 'training', null);
    mkdirSync(path.join(unreadable.folder, 'params/motion_library.yaml'));
    const { runs } = runsOf([
      runWith('seconds', 10, 'training', 'num_clips: 5\ntotal_frames: 250\nfps: 50\n'),
      runWith('walk', 9.7, 'training', 'num_clips: 1\ntotal_frames: 5000\nfps: 50\n'),
      runWith('unknown', 9.8, 'training', null),
      runWith('damaged', 5, 'training', 'num_clips: [\n'),
      unreadable,
      runWith('evaluated', 9.9, 'evaluation', 'num_clips: 5\ntotal_frames: 250\nfps: 50\n'),
    ]);
    const order = (await runs.forStart('T')).map(({ run }) => run);
    expect(order).toEqual(['evaluated', 'unknown', 'walk', 'damaged', 'unreadable', 'seconds']);
  });

  test('other work runs while the files of many runs are read', async () => {
    const library = 'num_clips: 1\ntotal_frames: 500\nfps: 50\n';
    const { runs } = runsOf(Array.from({ length: 400 }, (_, k) => runWith(`r${k}`, 5, 'training', library)));
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    expect(await runs.forStart('T')).toHaveLength(400);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });
});
