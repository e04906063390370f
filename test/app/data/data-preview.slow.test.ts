import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { BusyTasks } from '../../../src/app/busy-tasks.ts';
import type { ClipFile, ClipLibrary } from '../../../src/app/data/clip-library.ts';
import { DataPreview } from '../../../src/app/data/data-preview.ts';
import { EventHub } from '../../../src/app/event-hub.ts';
import { OwnerStack } from '../../../src/app/scene-owner.ts';
import { badInput } from '../../../src/core/errors.ts';
import { createLogger } from '../../../src/core/logger.ts';
import type { ClipRows } from '../../../src/motion/clip-rows.ts';
import { decodeFrame } from '../../../src/protocol/frame.ts';
import type { Preview } from '../../../src/protocol/schemas/data.ts';
import type { PreparedRobot } from '../../../src/robots/prepared-robot.ts';
import { qposOf } from '../../../src/robots/robot-facts.ts';
import { SimClient } from '../../../src/workers/sim/sim-client.ts';
import { clipSource, preparedHumanoid } from '../../support/robots.ts';

/** A promise that the test resolves, to delay a reading. */
interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}
function gate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

let robot: PreparedRobot;
let sim: SimClient;
let busy: BusyTasks;
let preview: DataPreview;
let crashed: Promise<unknown>;
/** by clip: gates that delay the reading of the clip's file */
let gates: Map<string, Gate>;
let quality: (clip: string) => Promise<Preview['qa']>;
let owner: OwnerStack;
/** by clip: root x, frames per second and modification time of a rewritten file */
let rewritten: Map<string, { readonly x: number; readonly fps: number; readonly mtimeMs: number }>;

const fps = 50;
/** Returns a clip of a humanoid that stands still. The root's `x` identifies the clip. */
function standing(x: number, rate = fps): ClipRows {
  const pose = qposOf(
    robot.facts.rootHeight,
    robot.facts.joints.map((joint) => joint.default),
  );
  pose[0] = x;
  const rows = new Float64Array(3 * pose.length);
  for (let frame = 0; frame < 3; frame += 1) rows.set(pose, frame * pose.length);
  return { fps: rate, frames: 3, rows };
}
const CLIPS: Readonly<Record<string, number>> = { a: 1, b: 2, c: 3 };

/** A dataset of converted clips; `b` has no raw file. */
const library: ClipLibrary = {
  datasets: async () => [],
  clips: async () => {
    throw new Error('not asked for here');
  },
  resolve: async (_dataset, clip, source) => {
    if (!(clip in CLIPS)) throw badInput(`clip: there is no ${clip}`);
    if (source === 'raw' && clip === 'b') throw badInput('clip: b has no raw file');
    const { mtimeMs } = rewritten.get(clip) ?? { mtimeMs: 0 };
    return {
      path: `${clip}.${source}`,
      format: 'npz',
      source: source === 'raw' ? 'raw' : 'npz',
      read: {},
      bytes: 1,
      mtimeMs,
    };
  },
};
const clipOf = (file: ClipFile) => file.path.split('.')[0]!;

beforeAll(async () => {
  robot = await preparedHumanoid();
});

beforeEach(async () => {
  gates = new Map();
  rewritten = new Map();
  quality = async () => null;
  const hub = new EventHub();
  busy = new BusyTasks(hub, () => {});
  let reportCrash: (error: unknown) => void = () => {};
  crashed = new Promise((resolve) => {
    reportCrash = resolve;
  });
  sim = new SimClient(60, {
    playedOut: (transport) => preview.playedOut(transport),
    warning: () => {},
    crashed: (error) => reportCrash(error),
  });
  owner = new OwnerStack(hub);
  preview = new DataPreview({
    hub,
    busy,
    sim,
    owner,
    logger: createLogger({ level: 'silent', pretty: false, colour: false }),
    robot: () => robot.facts,
    library: () => library,
    readClip: async (file) => {
      await gates.get(clipOf(file))?.opened;
      const { x, fps: rate } = rewritten.get(clipOf(file)) ?? { x: CLIPS[clipOf(file)]!, fps };
      if (Number.isNaN(x)) throw badInput('a.npz: it is damaged');
      return standing(x, rate);
    },
    readSource: async (_npz, file) => standing(10 + CLIPS[clipOf(file)]!),
    loadRecording: () => Promise.reject(new Error('these tests open no recording')),
    computeEdit: () => Promise.reject(new Error('these tests edit nothing')),
    quality: (opened) => quality(opened.clip.name),
  });
  await sim.ready;
  await putOnStage();
});
afterEach(() => sim.close());

const putOnStage = () =>
  sim.call({
    type: 'robot',
    robot: {
      physicsPath: clipSource(robot).physicsPath,
      wiring: { anchor: 0, keybodies: [], feet: [], ends: [], footSoleZ: 0 },
      qpos: qposOf(
        1,
        robot.facts.joints.map(() => 0),
      ),
      showWiring: false,
      modelVersion: 1,
      terrainVersion: 1,
    },
  });
const load = async (clip: string) => busy.wait(await preview.load({ dataset: 'd', clip }), 20);

/** Requests a new frame. @returns root x of every instance and of the ghost */
async function seen() {
  const before = sim.readLatest(0, () => {});
  const next = new Promise<void>((resolve) => {
    const stop = sim.onFrame(() => {
      if (sim.readLatest(0, () => {}) <= before) return;
      stop();
      resolve();
    });
  });
  await preview.seekFrame(1);
  await next;
  let bytes = new ArrayBuffer(0);
  sim.readLatest(0, (frame) => {
    bytes = Uint8Array.from(frame).buffer;
  });
  const { header, blob } = decodeFrame(bytes);
  const floats = 7 * header.nbody;
  return {
    roots: Array.from({ length: header.n }, (_, k) => blob[header.poses.offset + k * floats]),
    ghost: header.ghost && blob[header.ghost.offset],
  };
}

test('the ghost of a clip is loaded only on request', async () => {
  expect(await load('a')).toMatchObject({ state: 'done' });
  expect(await seen()).toEqual({ roots: [1], ghost: null });
  await preview.setOptions({ ghost: true });
  expect(await seen()).toEqual({ roots: [1], ghost: 11 });
  await load('b'); // `b` has no raw file
  expect(await seen()).toEqual({ roots: [2], ghost: null });
  expect((await preview.state()).error).toBeNull();
  expect(await load('c')).toMatchObject({ state: 'done' });
  expect((await preview.state()).error).toBeNull();
  expect(await seen()).toEqual({ roots: [3], ghost: 13 });
});

test('the preview marks the open clip and the loading clip as in use', async () => {
  expect(preview.uses()).toEqual([]);
  await load('a');
  const use = (clips: string[]) => ({ robot: robot.facts.id, dataset: 'd', clips });
  gates.set('b', gate());
  const task = await preview.load({ dataset: 'd', clip: 'b' });
  expect(preview.uses()).toEqual([use(['a']), use(['b'])]);
  gates.get('b')!.open();
  await busy.wait(task, 20);
  await settled();
  expect(preview.uses()).toEqual([use(['b'])]);
  await busy.wait(await preview.grid({ dataset: 'd', clips: ['a', 'b'] }), 20);
  expect(preview.uses()).toEqual([use(['a', 'b'])]);
  await preview.close();
  expect(preview.uses()).toEqual([]);
});

test('the preview is not loading once the last load is done, even if a superseded load is still reading', async () => {
  gates.set('b', gate());
  const superseded = await preview.load({ dataset: 'd', clip: 'b' });
  const done = await load('a');
  expect(done).toMatchObject({ state: 'done' });
  expect(await preview.state()).toMatchObject({ clip: 'a', loading: false });
  gates.get('b')!.open();
  expect(await busy.wait(superseded, 20)).toMatchObject({ state: 'superseded' });
  expect(await preview.state()).toMatchObject({ clip: 'a', loading: false });
});

test('closing the preview ends loading at once', async () => {
  gates.set('b', gate());
  await preview.load({ dataset: 'd', clip: 'b' });
  await preview.close();
  expect((await preview.state()).loading).toBe(false);
  gates.get('b')!.open();
});

/** Waits until no busy task is active. */
async function settled(): Promise<void> {
  for (let active = busy.list().active; active.length > 0; active = busy.list().active)
    await busy.wait(active[0]!.task, 20);
}

test('an open clip shows the new rows at the same frame when its file is rewritten', async () => {
  await load('a');
  await preview.setOptions({ ghost: true, speed: 2 });
  await preview.setPlaying(false);
  await preview.seekFrame(2);
  rewritten.set('a', { x: 5, fps, mtimeMs: 1 });
  await preview.filesChanged('other');
  expect(busy.list().active).toEqual([]);
  await preview.filesChanged('d');
  await settled();
  expect(await preview.state()).toMatchObject({
    clip: 'a',
    frame: 2,
    playing: false,
    options: { ghost: true, speed: 2 },
  });
  expect(await seen()).toEqual({ roots: [5], ghost: 11 });

  // A second notification of the same change is ignored. A new frame rate does not change the time of the preview.
  await preview.filesChanged('d');
  expect(busy.list().active).toEqual([]);
  await preview.seekFrame(1);
  rewritten.set('a', { x: 6, fps: 2 * fps, mtimeMs: 2 });
  await preview.filesChanged('d');
  await settled();
  expect(await preview.state()).toMatchObject({ frame: 2, time: 1 / fps });
});

test('a rewritten clip does not replace what the scene shows meanwhile', async () => {
  await load('a');
  await preview.setPlaying(false);
  owner.take('robots');
  await sim.call({ type: 'show', owner: 'robots' });
  rewritten.set('a', { x: 5, fps, mtimeMs: 1 });
  await preview.filesChanged('d');
  await settled();
  expect(owner.current).toBe('robots');
  // A frame of the robots scene may still be on its way, so the first frame seen can be that one.
  await vi.waitFor(async () => expect(await seen()).toMatchObject({ roots: [5] }));
});

test('the last version of a changing file is shown, and a damaged one is reported once', async () => {
  await load('a');
  gates.set('a', gate());
  rewritten.set('a', { x: 5, fps, mtimeMs: 1 });
  await preview.filesChanged('d');
  const first = rewritten.get('a')!;
  await preview.filesChanged('d'); // while the first reading is in progress
  rewritten.set('a', { ...first, x: 6, mtimeMs: 2 });
  gates.get('a')!.open();
  await settled();
  await vi.waitFor(async () => expect((await seen()).roots).toEqual([6]));
  await settled();
  rewritten.set('a', { x: Number.NaN, fps, mtimeMs: 3 });
  await preview.filesChanged('d');
  await settled();
  await preview.filesChanged('d');
  expect(busy.list().active).toEqual([]);
  expect(await preview.state()).toMatchObject({ open: true, clip: 'a', error: 'a.npz: it is damaged' });
  expect((await seen()).roots).toEqual([6]);
});

test('the last of two loads is shown, whichever ends first', async () => {
  gates.set('a', gate());
  const first = await preview.load({ dataset: 'd', clip: 'a' });
  expect(await load('b')).toMatchObject({ state: 'done' });
  gates.get('a')?.open();
  expect(await busy.wait(first, 20)).toMatchObject({ state: 'superseded' });
  expect((await preview.state()).clip).toBe('b');
  expect((await seen()).roots).toEqual([2]);
});

test('issues of a clip arrive when found, and only for that clip', async () => {
  const checks: Record<string, Gate> = { a: gate(), b: gate() };
  const issues = { ok: true, issues: [] };
  quality = async (clip) => {
    await checks[clip]?.opened;
    return issues;
  };
  await load('a');
  expect((await preview.state()).qa).toBeNull();
  await load('b');
  checks['a']?.open();
  await new Promise((resolve) => setImmediate(resolve));
  expect((await preview.state()).qa).toBeNull();
  checks['b']?.open();
  await new Promise((resolve) => setImmediate(resolve));
  expect((await preview.state()).qa).toEqual(issues);
});

test.each([
  ['a clip with its ghost', async () => void (await load('a'))],
  ['a grid', async () => void (await busy.wait(await preview.grid({ dataset: 'd', clips: ['a', 'b'] }), 20))],
])('after a crash of the simulation %s is shown again, paused at the same place', async (_what, open) => {
  await open();
  await preview.setOptions({ ghost: true });
  await preview.seekFrame(2);
  const before = await seen();
  await sim.terminateWorker();
  await crashed;
  await sim.ready;
  await putOnStage();
  await preview.rebuild();
  expect(await preview.state()).toMatchObject({ open: true, playing: false, frame: 1 });
  expect(await seen()).toEqual(before);
});
