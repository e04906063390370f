import { afterEach, beforeAll, expect, test } from 'vitest';
import type { MotionLibrary } from '../../../src/motion/library/motion-library.ts';
import type { PlayEvent } from '../../../src/play/plan.ts';
import { CLOCK } from '../../../src/play/play-memory.ts';
import type { PlayScene } from '../../../src/play/play-scene.ts';
import { decodeFrame, type FrameHeader } from '../../../src/protocol/frame.ts';
import type { PreparedRobot } from '../../../src/robots/prepared-robot.ts';
import { qposOf } from '../../../src/robots/robot-facts.ts';
import { PlayThreads } from '../../../src/workers/play/play-threads.ts';
import { SimClient } from '../../../src/workers/sim/sim-client.ts';
import { builtinClip, cutClip } from '../../support/clips.ts';
import { planOf, type SmallSession } from '../../support/play.ts';
import { until } from '../../support/play-client.ts';
import { clipSource, preparedHumanoid } from '../../support/robots.ts';
import { libraryOf } from '../../support/tracking.ts';

let robot: PreparedRobot;
let library: MotionLibrary;
let threads: PlayThreads | null = null;
let sim: SimClient | null = null;
const failures: Error[] = [];
const events: PlayEvent[] = [];

beforeAll(async () => {
  robot = await preparedHumanoid();
  library = await libraryOf(robot, { walk: cutClip(builtinClip('walk_forward'), 0, 120) });
});
afterEach(async () => {
  await threads?.terminate();
  await sim?.close();
  [threads, sim] = [null, null];
  failures.length = 0;
});

async function start(session: SmallSession, count = 2, signal = new AbortController().signal): Promise<PlayThreads> {
  const listener = {
    events: (some: readonly PlayEvent[]) => events.push(...some),
    warning: () => {},
    failed: (error: Error) => failures.push(error),
  };
  threads = await PlayThreads.start(planOf(robot, library, session), count, listener, signal);
  return threads;
}

function stageOf({ memory, shape }: PlayThreads, numEnvs: number): PlayScene {
  const options = { ghost: 'off', targets: false, contacts: false, speed: 1 } as const;
  return {
    buffer: memory.buffer,
    nbody: memory.nbody,
    keybodies: memory.keybodies,
    capacity: memory.capacity,
    bodies: [],
    clips: ['walk'],
    fps: 50,
    compared: memory.compared,
    titles: ['test'],
    stepS: shape.stepS,
    terrainVersion: 1,
    spacing: 2,
    state: { numEnvs, focus: 0, playing: true, options },
  };
}

async function onStage(session: PlayThreads, numEnvs: number): Promise<SimClient> {
  sim ??= new SimClient(60, { playedOut: () => {}, warning: () => {}, crashed: () => {} });
  await sim.ready;
  const { facts } = robot;
  const stand = qposOf(
    facts.rootHeight,
    facts.joints.map((joint) => joint.default),
  );
  const wiring = { anchor: 0, keybodies: [], feet: [], ends: [], footSoleZ: 0 };
  const { physicsPath } = clipSource(robot);
  await sim.call({
    type: 'robot',
    robot: { physicsPath, wiring, qpos: stand, showWiring: false, modelVersion: 1, terrainVersion: 1 },
  });
  const ports = session.connect();
  await sim.call({ type: 'play-open', stage: stageOf(session, numEnvs), ports }, ports);
  return sim;
}

const header = async (client: SimClient): Promise<FrameHeader | null> => {
  let copy: ArrayBuffer | undefined;
  client.readLatest(0, (bytes) => {
    copy = Uint8Array.from(bytes).buffer;
  });
  return copy ? decodeFrame(copy).header : null;
};

test('a session in two threads is paced and shown by the sim worker', async () => {
  const session = await start({ numEnvs: 5, capacity: 8 });
  const client = await onStage(session, 5);
  const shown = await until(
    () => header(client),
    (frame) => (frame?.hud.sim_time ?? 0) > 0.5,
  );
  expect(shown).toMatchObject({ owner: 'play', n: 5, nbody: 24 });
  expect(session.memory.clock[CLOCK.simTime]).toBeGreaterThan(0.5);
  expect(failures).toEqual([]);
});

test('the environments survive a crash of the sim worker, and the next worker continues with them', async () => {
  const session = await start({ numEnvs: 2, capacity: 8 });
  const client = await onStage(session, 2);
  const time = () => session.memory.clock[CLOCK.simTime]!;
  await until(
    async () => time(),
    (value) => value > 0.2,
  );
  await client.terminateWorker();
  const stopped = time();
  await onStage(session, 2);
  await until(
    async () => time(),
    (value) => value > stopped + 0.2,
  );
  expect(failures).toEqual([]);
});

test('a failed thread is reported once, and a pending step is released', async () => {
  const session = await start({ numEnvs: 2, capacity: 8 });
  const client = await onStage(session, 2);
  const layer = { inputs: 3, outputs: 2, weight: new Float32Array(6), bias: new Float32Array(2) };
  session.apply({ kind: 'policy', policy: { normalizer: null, layers: [layer], activation: 'elu' } });
  await until(
    async () => failures.length,
    (count) => count > 0,
  );
  expect(failures[0]!.message).toMatch(/the policy expects 3 observations/);
  await session.terminate();
  const waiting = client.call({ type: 'play', action: { kind: 'step' } });
  await client.call({ type: 'play', action: { kind: 'end' } });
  await waiting;
  expect(failures).toHaveLength(1);
});

test('an inconsistent plan leaves no threads behind', async () => {
  const plan = { numEnvs: 1, config: (config: object) => ({ ...config, decimation: 5 }) as never };
  await expect(start(plan)).rejects.toThrow(/motion: the library has 50 frames per second/);
  const abort = new AbortController();
  const building = start({ numEnvs: 1 }, 2, abort.signal);
  abort.abort();
  await expect(building).rejects.toThrow('building the session was cancelled');
});
