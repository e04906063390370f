import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EventHub } from '../../../src/app/event-hub.ts';
import { Recordings } from '../../../src/app/recordings/recordings.ts';
import { OwnerStack } from '../../../src/app/scene-owner.ts';
import { createFrameRing } from '../../../src/core/frame-ring.ts';
import { encodeModel } from '../../../src/protocol/binaries.ts';
import { listRecordings } from '../../../src/recording/read/list-recordings.ts';
import type { SimClient } from '../../../src/workers/sim/sim-client.ts';
import { silentLogger } from '../../gateway/kernel-server.ts';

const none = {
  vertices: new Float32Array(),
  normals: new Float32Array(),
  faces: new Uint32Array(),
  uvs: new Float32Array(),
};
const model = {
  model: { version: 1, robot: 'walker', bodies: [], geoms: [], meshes: [], bin: { bytes: 12, nv: 0, nf: 0 } },
  bin: encodeModel(none),
};

let folder: string;
let recordings: Recordings;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'recordings-'));
  const hub = new EventHub();
  const sim = { ring: createFrameRing(1024), onRing: () => () => {} };
  recordings = new Recordings({
    folder,
    hub,
    sim: sim as unknown as SimClient,
    owner: new OwnerStack(hub),
    logger: silentLogger(),
    shown: () => ({ model, source: null }),
    session: () => null,
    list: (from) => listRecordings(from),
    finish: async () => [],
  });
});
afterEach(async () => {
  await recordings.close();
  rmSync(folder, { recursive: true });
});

test.each(['mcap', 'npz'] as const)('a start as %s that took too long leaves no recording', async (format) => {
  const late = new AbortController();
  const starting = recordings.start({ name: 'late', format }, late.signal);
  late.abort();
  await expect(starting).rejects.toThrow('aborted');
  expect(readdirSync(folder)).toEqual([]);
  expect(await recordings.list()).toEqual([]);
  // The next one can start.
  await recordings.start({ name: 'late', format }, new AbortController().signal);
  expect((await recordings.list()).map(({ name, state }) => [name, state])).toEqual([['late', 'recording']]);
});

test('a stop waits for a recording that is being started, and stops it', async () => {
  const starting = recordings.start({ name: 'short' }, new AbortController().signal);
  // when its name has been checked and its thread is being started
  while ((await recordings.list()).length === 0) await nextTurn();
  expect(await recordings.stop()).toMatchObject({ ok: true, recording: 'short' });
  await starting;
  expect((await recordings.list()).map(({ name, state }) => [name, state])).toEqual([['short', 'done']]);
});
