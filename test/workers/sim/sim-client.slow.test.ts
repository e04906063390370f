import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { decodeFrame } from '../../../src/protocol/frame.ts';
import type { PreparedRobot } from '../../../src/robots/prepared-robot.ts';
import { qposOf } from '../../../src/robots/robot-facts.ts';
import { BUILTIN } from '../../../src/robots/robot-source.ts';
import { prepareInThread } from '../../../src/workers/robots/prepare-robot.ts';
import type { RobotForStage } from '../../../src/workers/sim/messages.ts';
import { SimClient } from '../../../src/workers/sim/sim-client.ts';

let folder: string;
let prepared: PreparedRobot;
let sim: SimClient;
let crashes: Error[];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'sim-client-'));
  prepared = await prepareInThread({ source: BUILTIN, cache: folder });
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => sim.close());

const start = async () => {
  crashes = [];
  sim = new SimClient(60, { playedOut: () => {}, warning: () => {}, crashed: (error) => crashes.push(error) });
  await sim.ready;
};

const robot = (change: Partial<RobotForStage> = {}): RobotForStage => ({
  physicsPath: path.join(prepared.folder, 'physics.mjb'),
  wiring: { anchor: 0, keybodies: [], feet: [], ends: [], footSoleZ: 0 },
  qpos: qposOf(
    prepared.facts.rootHeight,
    prepared.facts.joints.map((joint) => joint.default),
  ),
  showWiring: false,
  modelVersion: 1,
  terrainVersion: 1,
  ...change,
});

const latestHeader = () => {
  let copy: ArrayBuffer | undefined;
  sim.readLatest(0, (bytes) => {
    copy = Uint8Array.from(bytes).buffer;
  });
  return copy ? decodeFrame(copy).header : null;
};

test('a frame of a robot is available once the robot is loaded', async () => {
  await start();
  await sim.call({ type: 'robot', robot: robot({ modelVersion: 5 }) });
  expect(latestHeader()).toMatchObject({ owner: 'robots', n: 1, nbody: 24, model_version: 5 });
});

test('a model that cannot be loaded is an error for the caller, and the scene stays unchanged', async () => {
  await start();
  await sim.call({ type: 'robot', robot: robot({ modelVersion: 5 }) });
  const broken = path.join(folder, 'broken.mjb');
  writeFileSync(broken, 'no model');
  await expect(sim.call({ type: 'robot', robot: robot({ physicsPath: broken, modelVersion: 6 }) })).rejects.toThrow();
  await sim.call({ type: 'pose', qpos: robot().qpos });
  expect(latestHeader()).toMatchObject({ model_version: 5 });
  expect(crashes).toEqual([]);
});

test('a crashed worker fails its pending calls and is replaced, and the frame numbers continue', async () => {
  await start();
  await sim.call({ type: 'robot', robot: robot() });
  const before = latestHeader()!.seq;
  // So many calls that some are still pending when the worker ends.
  const asked = Array.from({ length: 300 }, () => sim.call({ type: 'robot', robot: robot() }));
  const answers = Promise.allSettled(asked);
  await sim.terminateWorker();
  const refused = (await answers).filter((answer) => answer.status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  for (const { reason } of refused) expect(String(reason)).toMatch(/simulation thread ended/);
  expect(crashes).toHaveLength(1);
  await sim.ready;
  await sim.call({ type: 'robot', robot: robot() });
  expect(latestHeader()!.seq).toBeGreaterThan(before);
});
