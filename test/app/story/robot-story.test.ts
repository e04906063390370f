import { beforeEach, expect, test } from 'vitest';
import { RobotStory } from '../../../src/app/story/robot-story.ts';
import type { RobotEntry } from '../../../src/robots/robot-registry.ts';
import { keepingLogger } from '../../support/log-lines.ts';

let lines: string[];
let robots: Map<string, RobotEntry>;
let story: RobotStory;
beforeEach(() => {
  lines = [];
  robots = new Map();
  story = new RobotStory(keepingLogger(lines, 'robots'), (id) => robots.get(id) ?? null);
});

/** Adds a robot to the simulated disk, as the registry reports it. @param key null: the robot is not compiled */
function put(id: string, key: string | null, error: string | null = null) {
  const prepared = key === null ? null : { key, facts: { joints: [{}, {}] } };
  robots.set(id, {
    id,
    source: { kind: 'folder', id, folder: `/robots/${id}` },
    prepared,
    error,
  } as unknown as RobotEntry);
  story.changed(id);
}

test('new, changed, damaged and removed robots are logged, those present at the start are not', () => {
  put('g1', null);
  story.started();
  put('g1', 'a');
  put('g1', 'a');
  put('t1', null);
  put('t1', 'b');
  put('t1', 'c');
  put('t1', null, 'robot.yaml: line 3: no such joint');
  put('t1', null, 'robot.yaml: line 3: no such joint');
  put('t1', 'c');
  robots.delete('t1');
  story.changed('t1');
  expect(lines).toEqual([
    'debug robots: Robot g1 is ready: 2 joints',
    'info robots: Robot t1 appeared in the workspace: 2 joints',
    'info robots: Robot t1 changed on disk and was compiled again: 2 joints',
    'warn robots: Robot t1 does not load: robot.yaml: line 3: no such joint',
    'info robots: Robot t1 loads again: 2 joints',
    'info robots: Robot t1 was removed from the workspace',
  ]);
});

test('saving or deleting a robot logs one line, a failed request none', async () => {
  story.started();
  await story.request('t1', 'saved', async () => put('t1', 'a'));
  await story.request('t1', 'saved', async () => put('t1', 'b'));
  const refused = story.request('t1', 'deleted', () => Promise.reject(new Error('a job uses it')));
  await expect(refused).rejects.toThrow('a job uses it');
  await story.request('t1', 'deleted', async () => {
    robots.delete('t1');
    story.changed('t1');
  });
  put('t1', 'b'); // a user puts the folder back
  expect(lines).toEqual([
    'info robots: Robot t1 saved: 2 joints',
    'info robots: Robot t1 saved: 2 joints, replaces the previous version',
    'info robots: Robot t1 deleted',
    'info robots: Robot t1 appeared in the workspace: 2 joints',
  ]);
});
