import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { failureLine } from '../../../src/jobs/detached/failure-line.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'motion-studio-words-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const cases: [what: string, log: string, words: string | null][] = [
  [
    'this trainer',
    'train: observations: no group critic\nError: inner\n    at x.js:1',
    'observations: no group critic',
  ],
  [
    'Python',
    'Traceback (most recent call last):\n  File "a.py"\ntorch.cuda.OutOfMemoryError: CUDA out of memory.\n',
    'torch.cuda.OutOfMemoryError: CUDA out of memory.',
  ],
  ['an evaluation', 'evaluate: clips: the library has no clip "jump"\n', 'clips: the library has no clip "jump"'],
  ['coloured', "\u001b[31mKeyError: 'motion'\u001b[0m\n", "KeyError: 'motion'"],
  ['arguments', 'usage: train [-h]\ntrain: error: unrecognized arguments: --x\n', 'unrecognized arguments: --x'],
  ['the shell', '/a/job-runner.sh: 42: /nowhere/trainer: not found\n', '/nowhere/trainer: not found'],
  ['the last of several', 'ValueError: one\nTypeError: two\n', 'TypeError: two'],
  ['figures alone', '            Mean reward: 1.2\n  Iteration time: 0.3s\n', null],
  ['nothing', '', null],
];
test.each(cases)('%s', async (_, log, words) => {
  const file = path.join(folder, 'output.log');
  writeFileSync(file, log);
  expect(await failureLine(file)).toBe(words);
});
