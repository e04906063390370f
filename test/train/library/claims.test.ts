import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Claims } from '../../../src/train/library/claims.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'motion-studio-claims-'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

test('one of two processes gets a claim; the other gets it when the first releases it', () => {
  const [a, b] = [new Claims(folder, 60), new Claims(folder, 60)];
  expect([a.take('1'), b.take('1'), b.take('2')]).toEqual([true, false, true]);
  expect([b.isFree('1'), a.isFree('2'), a.isFree('3')]).toEqual([false, false, true]);
  a.close();
  expect(b.take('1')).toBe(true);
  b.close();
});

test('a claim of a living process is kept, whatever the clock of its machine shows', () => {
  vi.useFakeTimers();
  const [a, b] = [new Claims(folder, 60), new Claims(folder, 60)];
  a.take('1');
  const past = new Date(Date.now() - 3_600_000);
  utimesSync(path.join(folder, '1.claim'), past, past);
  expect(b.take('1')).toBe(false);
  vi.advanceTimersByTime(59_000);
  expect(b.isFree('1')).toBe(false);
  vi.advanceTimersByTime(59_000);
  expect(b.take('1')).toBe(false);
  a.close();
  b.close();
});

test('a claim of a killed process can be taken once it has not been renewed for the time limit', () => {
  vi.useFakeTimers();
  const [killed, b] = [new Claims(folder, 60), new Claims(folder, 60)];
  killed.take('1');
  vi.clearAllTimers();
  expect(b.take('1')).toBe(false);
  vi.advanceTimersByTime(59_000);
  expect(b.take('1')).toBe(false);
  vi.advanceTimersByTime(2_000);
  expect(b.take('1')).toBe(true);
  b.close();
});
