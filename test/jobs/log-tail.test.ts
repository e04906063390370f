import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tailLines } from '../../src/jobs/log-tail.ts';
import { cpuMs } from '../support/cpu-time.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tail-'));
  file = path.join(folder, 'output.log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the tail equals the last lines of the whole file, also across block borders', async () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constant(''),
    fc.nat(90_000).map((n) => 'ä'.repeat(n / 2)),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 8 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 9 }),
      async (raw, open, count) => {
        const lines = raw.map((text) => text.replace(/[\r\n]/g, ''));
        const text = lines.join('\n') + (open || lines.length === 0 ? '' : '\n');
        writeFileSync(file, text);
        const whole = text === '' ? [] : text.replace(/\n$/, '').split('\n');
        expect(await tailLines(file, count)).toEqual(whole.slice(-count));
      },
    ),
    { numRuns: 150 },
  );
});

test('a missing file, an empty one and a tail of 0 have no lines', async () => {
  expect(await tailLines(file, 5)).toEqual([]);
  writeFileSync(file, '');
  expect(await tailLines(file, 5)).toEqual([]);
  writeFileSync(file, 'one\n');
  expect(await tailLines(file, 0)).toEqual([]);
});

test('of a line rewritten with carriage returns the last text is used, and CRLF ends a line', async () => {
  writeFileSync(file, 'epoch 1\repoch 2\repoch 3\n 10%\r 20%\r\nend\r\n');
  expect(await tailLines(file, 5)).toEqual(['epoch 3', ' 20%', 'end']);
});

test('bytes that are not UTF-8 become replacement characters', async () => {
  writeFileSync(file, Buffer.from([0x61, 0xff, 0xfe, 0x0a, 0xc3, 0x0a]));
  expect(await tailLines(file, 5)).toEqual(['a\ufffd\ufffd', '\ufffd']);
});

test('the last MiB of an endless line is returned, without a broken character', async () => {
  writeFileSync(file, `x${'ä'.repeat(1_500_000)}`);
  const [line, ...others] = await tailLines(file, 3);
  expect(others).toEqual([]);
  expect(line).toMatch(/^ä+$/);
  expect(line!.length).toBe(512 * 1024);
});

test('a tail of a gigabyte reads only its end', async () => {
  const fd = openSync(file, 'w');
  ftruncateSync(fd, 1e9);
  writeSync(fd, `\n${Array.from({ length: 10_000 }, (_, k) => `line ${k}\n`).join('')}`, 1e9);
  closeSync(fd);
  const spent = await cpuMs(async () => {
    expect(await tailLines(file, 200)).toEqual(Array.from({ length: 200 }, (_, k) => `line ${9800 + k}`));
    expect((await tailLines(file, 10_000)).at(0)).toBe('line 0');
  });
  expect(spent).toBeLessThan(500);
});
