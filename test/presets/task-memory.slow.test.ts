import { setImmediate } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';
import { expect, test } from 'vitest';
import { taskEffect } from '../../src/presets/task-effect.ts';
import { vocabularyOf } from '../../src/presets/vocabulary-of.ts';
import { builtinClip } from '../support/clips.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { environmentsOf, libraryOf } from '../support/tracking.ts';

v8.setFlagsFromString('--expose-gc');
const collectGarbage = vm.runInNewContext('gc') as () => void;

/** Returns the size of all array buffers in use. Without collections, garbage that happens to be freed between two
 *  readings would count as memory of the environments. V8 frees buffers in the background, after a collection. */
async function buffersInUse(): Promise<number> {
  for (let last = Number.NaN; ; ) {
    collectGarbage();
    await setImmediate();
    const { arrayBuffers } = process.memoryUsage();
    if (arrayBuffers === last) return arrayBuffers;
    last = arrayBuffers;
  }
}

// In a file of its own, outside of the fast lane: other files of a shared process would allocate memory as well.
test('the estimated memory of environments is within 15 % of the memory they use', async () => {
  const robot = await preparedHumanoid();
  const words = vocabularyOf(robot.facts);
  const { config } = words.bases[0]!;
  const library = await libraryOf(robot, { squat: builtinClip('squat') });
  const takes = async (n: number) => {
    const before = await buffersInUse();
    const environments = await environmentsOf(robot, { config, library, n });
    const bytes = (await buffersInUse()) - before;
    environments.delete();
    return bytes;
  };
  await takes(1);
  // V8 may keep garbage over several collections: one of 40 measurements was a quarter too small. The others were
  // equal.
  const measured: number[] = [];
  for (let k = 0; k < 5; k += 1) measured.push(((await takes(1024)) - (await takes(256))) / (1024 - 256));
  const each = measured.sort((a, b) => a - b)[2]!;
  const told = taskEffect(config, robot.facts, words.library).env_bytes;
  expect(told / each).toBeGreaterThan(0.85);
  expect(told / each).toBeLessThan(1.15);
});
