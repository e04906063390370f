import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Curves, type CurvesDeps } from '../../../src/app/training/curves.ts';
import { scalarsRecord } from '../../../src/formats/event-file/write-events.ts';
import { JobRegistry } from '../../../src/jobs/job-registry.ts';
import { curvesReply } from '../../../src/runs/curves/curves-reply.ts';
import { readNewScalars } from '../../../src/runs/curves/scalar-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'motion-studio-curves-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Appends `count` iterations with the value of their number to the event file of a run. */
function train(run: string, from: number, count: number): void {
  mkdirSync(path.join(folder, run), { recursive: true });
  for (let step = from; step < from + count; step++)
    appendFileSync(
      path.join(folder, run, 'events.out.tfevents.1.host.1.0'),
      scalarsRecord(0, step, [{ tag: 'Loss/value', value: step }]),
    );
}

/** Curves of the runs in the folder. `reads` lists runs that were read from the start of their files. */
function open(changes: Partial<CurvesDeps> = {}) {
  const reads: string[] = [];
  const jobs = JobRegistry.open({ folder, interrupted: () => '', onError: () => {} });
  const curves = new Curves({
    jobs,
    runsFolder: folder,
    find: async (run) => path.join(folder, run),
    read: (place, positions) => {
      if (Object.keys(positions).length === 0) reads.push(path.basename(place));
      return readNewScalars(place, positions);
    },
    reply: async (tags, asked) => curvesReply(tags, asked),
    damaged: () => {},
    ...changes,
  });
  const get = async (run: string) => {
    const { content, etag } = await curves.get({ run });
    const { series } = JSON.parse(Buffer.from(content).toString()) as { series: { x: number[]; y: number[] }[] };
    return { x: series[0]?.x, y: series[0]?.y, etag };
  };
  return { get, reads };
}

test('curves are complete although one read delivers only a part of the files', async () => {
  for (let file = 0; file < 3; file++) {
    mkdirSync(path.join(folder, 'long'), { recursive: true });
    appendFileSync(
      path.join(folder, 'long', `events.out.tfevents.${file}.host.1.0`),
      scalarsRecord(0, file, [{ tag: 'Loss/value', value: 10 * file }]),
    );
  }
  let count = 0;
  const { get } = open({
    read: (place, positions) => {
      count += 1;
      return readNewScalars(place, positions, 1);
    },
  });
  expect(await get('long')).toMatchObject({ x: [0, 1, 2], y: [0, 10, 20] });
  expect(count).toBeGreaterThanOrEqual(3);
});

test('beyond the memory limit, the curves that were requested longest ago are read again, the others are not', async () => {
  for (const run of ['a', 'b', 'c']) train(run, 0, 3);
  // A curve takes 3 KiB, so two of them are kept.
  const { get, reads } = open({ keptBytes: 7 << 10 });
  for (const run of ['a', 'b', 'a', 'c', 'a', 'c', 'b']) expect((await get(run)).x).toEqual([0, 1, 2]);
  expect(reads).toEqual(['a', 'b', 'c', 'b']);
});

test('the curves of the requested run stay, even if they alone exceed the limit', async () => {
  train('a', 0, 3);
  const { get, reads } = open({ keptBytes: 1 });
  await get('a');
  train('a', 3, 1);
  expect((await get('a')).x).toEqual([0, 1, 2, 3]);
  expect(reads).toEqual(['a']);
});

test('the tag of a reply describes the returned curves, also if new values are read while it is formatted', async () => {
  train('a', 0, 1);
  let formatting = async () => {};
  const { get } = open({
    reply: async (tags, asked) => {
      const now = formatting;
      formatting = async () => {};
      await now();
      return curvesReply(tags, asked);
    },
  });
  formatting = async () => {
    train('a', 1, 1);
    await get('a');
  };
  const first = await get('a');
  expect(first.x).toEqual([0]);
  const second = await get('a');
  expect(second.x).toEqual([0, 1]);
  expect(second.etag).not.toBe(first.etag);
});
