import { expect, test } from 'vitest';
import type { TaskEnd } from '../../../src/app/busy-tasks.ts';
import { TaskStory } from '../../../src/app/story/task-story.ts';
import { badInput, StudioError } from '../../../src/core/errors.ts';
import { keepingLogger } from '../../support/log-lines.ts';

const end = (more: Partial<TaskEnd>): TaskEnd => ({
  ...{ kind: 'load', label: 'Loading walk', state: 'done', seconds: 0.5, outcome: null, error: null },
  ...more,
});

test('an ended task logs one line with the source of its area and the level of its end', () => {
  const lines: string[] = [];
  const { ended } = new TaskStory(keepingLogger(lines));
  ended(end({ outcome: 'Clip walk loaded' }));
  ended(end({ kind: 'select', label: 'Selecting g1' }));
  ended(end({ state: 'superseded' }));
  ended(end({ state: 'failed', error: badInput('27 columns, expected 28') }));
  ended(end({ state: 'failed', error: new StudioError('disk_full', 'the disk is full') }));
  ended(end({ kind: 'play', label: 'Building', state: 'failed', error: new TypeError('x is undefined') }));
  expect(lines).toEqual([
    'info data: Clip walk loaded, in 0.50 s',
    'debug robots: Selecting g1: done in 0.50 s',
    'debug data: Loading walk: superseded after 0.50 s',
    'warn data: Loading walk failed: 27 columns, expected 28',
    'error data: Loading walk failed: the disk is full',
    'error play: Building failed because of a bug: x is undefined',
  ]);
});

test('loading a thousand clips logs twenty lines and a summary', () => {
  const lines: string[] = [];
  const story = new TaskStory(keepingLogger(lines));
  for (let k = 0; k < 1000; k += 1) story.ended(end({ outcome: `Clip ${k} loaded` }));
  story.close();
  const info = lines.filter((line) => line.startsWith('info'));
  expect(info).toHaveLength(21);
  expect(info.at(-1)).toBe('info data: and 980 more tasks "load" ended in the last 1 s');
});
