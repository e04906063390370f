import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { EventHub } from '../../../src/app/event-hub.ts';
import { DraftScene } from '../../../src/app/robots/draft-scene.ts';
import { modelVersions, robotForStage } from '../../../src/app/robots/staged-robot.ts';
import { OwnerStack } from '../../../src/app/scene-owner.ts';
import { decodeFrame } from '../../../src/protocol/frame.ts';
import { humanoidSpec } from '../../../src/robots/humanoid/humanoid.ts';
import { type PreparedRobot, prepareRobot } from '../../../src/robots/prepared-robot.ts';
import { BUILTIN } from '../../../src/robots/robot-source.ts';
import { SimClient } from '../../../src/workers/sim/sim-client.ts';

let folder: string;
let prepared: PreparedRobot;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'draft-scene-'));
  prepared = await prepareRobot(BUILTIN, folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const { wiring } = humanoidSpec();
let sim: SimClient;
let owner: OwnerStack;
let scene: DraftScene;
let crashed: Promise<void>;

beforeEach(async () => {
  let onCrash = () => {};
  crashed = new Promise((resolve) => {
    onCrash = resolve;
  });
  sim = new SimClient(60, { playedOut: () => {}, warning: () => {}, crashed: () => onCrash() });
  await sim.ready;
  owner = new OwnerStack(new EventHub());
  scene = new DraftScene({ sim, owner, nextVersion: modelVersions() });
  await selectRobot();
});
afterEach(() => sim.close());

const selectRobot = () => {
  const values = prepared.facts.joints.map((joint) => joint.default);
  return sim.call({ type: 'robot', robot: robotForStage(prepared, { values, wiring, showWiring: false, version: 1 }) });
};

const header = () => {
  let copy = new ArrayBuffer(0);
  sim.readLatest(0, (bytes) => {
    copy = Uint8Array.from(bytes).buffer;
  });
  return decodeFrame(copy).header;
};

test('the draft is drawn while it owns the scene', async () => {
  expect(scene.viewer).toBeNull();
  await scene.show(prepared, wiring);
  const version = scene.viewer!.version;
  expect(version).toBeGreaterThan(1);
  await expect.poll(header).toMatchObject({ owner: 'import', model_version: version });
  await scene.show(prepared, { ...wiring, keybodies: [] });
  expect(scene.viewer!.version).toBe(version);
  owner.take('robots');
  expect(scene.viewer).toBeNull();
  owner.take('import');
  await scene.leave();
  expect([scene.viewer, owner.current]).toEqual([null, 'robots']);
  await expect.poll(header).toMatchObject({ owner: 'robots', model_version: 1 });
});

test('a draft that does not load, or lacks a body, leaves the scene unchanged', async () => {
  const lost = { ...prepared, folder: path.join(folder, 'lost'), key: 'lost' };
  await expect(scene.show(lost, wiring)).rejects.toThrow();
  await expect(scene.show(prepared, { ...wiring, anchor: 'nose' })).rejects.toThrow('wiring.anchor: the model has no');
  expect([scene.viewer, owner.current, header().owner]).toEqual([null, 'robots', 'robots']);
});

test.each(['import', 'robots'] as const)(
  'a new sim worker gets the draft of the old one; %s is shown',
  async (shown) => {
    await scene.show(prepared, wiring);
    if (shown === 'robots') owner.take('robots');
    await sim.terminateWorker();
    await crashed;
    await sim.ready;
    await selectRobot();
    await scene.rebuild();
    await expect.poll(() => header().owner).toBe(shown);
    if (shown === 'import') expect(header().model_version).toBe(scene.viewer!.version);
  },
);
