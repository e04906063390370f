import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { physicsOn } from '../../src/robots/uneven-ground.ts';
import { tryTraining } from '../../src/train/dry-run/try-training.ts';
import { trainingOrder } from '../support/training-order.ts';

test('the dry run of a task on uneven ground uses a model with a height field', async () => {
  const { order } = await trainingOrder();
  const { config, robot, clips } = order;
  const rough = { ...config, scene: { ...config.scene, terrain: { ...config.scene.terrain, type: 'rough' as const } } };
  const { checks } = await tryTraining({
    config: rough,
    robot,
    clips,
    threads: 1,
  });
  expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
    ['task', true],
    ['dimensions', true],
    ['clips', true],
    ['steps', true],
  ]);
  expect(physicsOn(robot.physicsPath, 'plane')).toBe(robot.physicsPath);
  expect(readFileSync(physicsOn(robot.physicsPath, 'stairs')).length).not.toBe(readFileSync(robot.physicsPath).length);
});
