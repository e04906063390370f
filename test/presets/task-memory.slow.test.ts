import { expect, test } from 'vitest';
import { taskEffect } from '../../src/presets/task-effect.ts';
import { vocabularyOf } from '../../src/presets/vocabulary-of.ts';
import { builtinClip } from '../support/clips.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { environmentsOf, libraryOf } from '../support/tracking.ts';

// In a file of its own, outside of the fast lane: in a shared process the garbage of other files would be measured too.
test('the estimated memory of environments is within 15 % of the memory they use', async () => {
  const robot = await preparedHumanoid();
  const words = vocabularyOf(robot.facts);
  const { config } = words.bases[0]!;
  const library = await libraryOf(robot, { squat: builtinClip('squat') });
  const takes = async (n: number) => {
    const before = process.memoryUsage().arrayBuffers;
    const environments = await environmentsOf(robot, { config, library, n });
    const bytes = process.memoryUsage().arrayBuffers - before;
    environments.delete();
    return bytes;
  };
  await takes(1);
  const each = ((await takes(1024)) - (await takes(256))) / (1024 - 256);
  const told = taskEffect(config, robot.facts, words.library).env_bytes;
  expect(told / each).toBeGreaterThan(0.85);
  expect(told / each).toBeLessThan(1.15);
});
