import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createContext, type OpenContext } from '../../../src/app/app-context.ts';
import { createApp, type RunningApp } from '../../../src/app/create-app.ts';
import { openWorkspace } from '../../../src/app/workspace.ts';
import { createLogger } from '../../../src/core/logger.ts';
import { formatClipCsv } from '../../../src/formats/csv.ts';
import { generateClip } from '../../../src/motion/procedural/generate-clip.ts';
import { decodeFrame, type FrameHeader } from '../../../src/protocol/frame.ts';
import type { SimClient } from '../../../src/workers/sim/sim-client.ts';
import { until } from '../../support/play-client.ts';
import { preparedHumanoid } from '../../support/robots.ts';
import { addSmallRun } from '../../support/small-run.ts';

const RUN = 'small/zero';
let root: string;
let context: OpenContext;
let studio: RunningApp;
let closeWorkspace: () => Promise<void> | void;

beforeAll(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'play-crash-'));
  const logger = createLogger({ level: 'error', pretty: false, colour: false });
  const workspace = await openWorkspace(root, logger);
  closeWorkspace = () => workspace.close();
  await workspace.writeSamples('humanoid/samples', async () => {
    const { frames, width } = generateClip('squat');
    return new Map([['squat.csv', formatClipCsv(frames, width)]]);
  });
  addSmallRun(workspace.runs, (await preparedHumanoid()).facts.joints.length, RUN);
  context = createContext({ places: workspace, streamFps: 60, poolThreads: 0, trashDays: 30, logger });
  studio = await createApp(context, {
    play: { maxEnvs: 64, threads: 1 },
    training: {
      localLimit: 1,
      maxMinutes: 240,
      trainers: {},
      launchers: {},
      environment: {},
      stateFolder: path.join(root, '..', 'motion-studio-state'),
    },
    qa: {},
    version: 'test',
  });
  const job = await studio.conversion.start({ dataset: 'samples' });
  await until(
    () => studio.jobs.get(job),
    ({ status }) => status === 'done',
  );
}, 60_000);
afterAll(async () => {
  await studio.close();
  await context.close();
  await closeWorkspace();
  rmSync(root, { recursive: true });
});

const header = async (): Promise<FrameHeader | null> => {
  let copy: ArrayBuffer | undefined;
  studio.frames.readLatest(0, (bytes) => {
    copy = Uint8Array.from(bytes).buffer;
  });
  return copy ? decodeFrame(copy).header : null;
};
const configure = async (body: object) => {
  const reply = await studio.play.configure(body, new AbortController().signal);
  if ('task' in reply) expect(await studio.busy.wait(reply.task, 60)).toMatchObject({ state: 'done' });
  return studio.play.state().session!;
};

test('a simulation thread that dies is replaced, and the session continues', async () => {
  const session = await configure({ run: RUN, num_envs: 3, terminations: false });
  await until(header, (frame) => (frame?.hud.sim_time ?? 0) > 0.3);
  const { epoch } = recordHeader();
  const before = studio.play.state().session!.sim_time;
  await (studio.frames as SimClient).terminateWorker();
  const shown = await until(header, (frame) => frame?.owner === 'play' && (frame.hud.sim_time ?? 0) > before + 0.2);
  expect(shown).toMatchObject({ n: 3 });
  expect(studio.play.state().session).toMatchObject({ id: session.id, state: 'running', playing: true });
  expect(recordHeader().epoch).toBe(epoch);
});

test('a failed rebuild leaves the previous session running', async () => {
  const { id } = studio.play.state().session!;
  const { signal } = new AbortController();
  await expect(studio.play.configure({ num_envs: 65 }, signal)).rejects.toThrow(/num_envs: .*1 to 64/);
  await expect(studio.play.configure({ run: 'small/none' }, signal)).rejects.toThrow(/unknown run "small\/none"/);
  const before = studio.play.state().session!;
  expect(before).toMatchObject({ id, state: 'running' });
  await until(
    async () => studio.play.state().session!,
    ({ sim_time: time }) => time > before.sim_time,
  );
});

function recordHeader(): { epoch: number } {
  const bytes = studio.records.plots({ env: 0 }, true);
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset + 4, length).toString()) as { epoch: number };
}
