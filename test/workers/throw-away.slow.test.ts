import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FromImport, ImportOrder } from '../../src/workers/robots/import-messages.ts';
import { checkInThread, inspectInThread } from '../../src/workers/robots/import-robot.ts';
import { threadEntry } from '../../src/workers/thread-entry.ts';
import { runThrowAway } from '../../src/workers/throw-away.ts';
import { WALKER_MJCF, walkerSpec } from '../support/models.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'throw-away-'));
  writeFileSync(path.join(folder, 'walker.xml'), WALKER_MJCF);
});
afterAll(() => rmSync(folder, { recursive: true }));

const ENTRY = threadEntry('import-robot', new URL('../../src/workers/robots/import-robot.ts', import.meta.url).href);
const never = new AbortController().signal;
const inspection = () => ({
  folder,
  draft: { id: 'walker', model: 'walker.xml' },
  cache: path.join(folder, '.cache'),
});
const run = (limitS: number, signal?: AbortSignal) =>
  runThrowAway<ImportOrder, FromImport>(
    ENTRY,
    { kind: 'inspect', ...inspection() },
    {
      limitS,
      doing: 'inspecting walker.xml',
      ...(signal ? { signal } : {}),
    },
  );

test('a model that takes too long is cancelled, and the next model is inspected', async () => {
  await expect(run(0.02)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'inspecting walker.xml timed out after 0.02 s',
  });
  const answer = await inspectInThread(inspection(), never);
  expect(answer.inspection.spec.wiring.anchor).toBe('trunk');
  expect(answer.prepared.facts.joints).toHaveLength(4);
});

test('an abort terminates the thread', async () => {
  const abort = new AbortController();
  const given = run(60, abort.signal);
  abort.abort();
  await expect(given).rejects.toMatchObject({ code: 'unavailable', message: 'inspecting walker.xml was cancelled' });
  await expect(run(60, abort.signal)).rejects.toMatchObject({ code: 'unavailable' });
});

test('a robot that does not compile is a result of check; an invalid model is an error of inspect', async () => {
  const report = await checkInThread(folder, walkerSpec({ model: 'none.xml' }), never);
  expect(report.ok).toBe(false);
  expect(report.checks.find(({ name }) => name === 'compiles')).toMatchObject({
    ok: false,
    text: expect.stringContaining('none.xml'),
  });
  writeFileSync(path.join(folder, 'bad.xml'), '<html/>');
  const bad = inspectInThread({ folder, draft: { id: 'bad', model: 'bad.xml' }, cache: folder }, never);
  await expect(bad).rejects.toMatchObject({ code: 'bad_input', message: expect.stringContaining('<html>') });
});
