import { isDeepStrictEqual } from 'node:util';
import type { TaskConfig } from '../mdp/task-config.ts';
import { isObject, own } from '../presets/knobs/knob-tree.ts';

/** The parts of a task that a profile always changes. It changes contacts only if the task leaves them to the
 *  profile. */
const CHANGED = ['observations', 'commands', 'rewards', 'events'] as const;

/** Returns the settings that a task changes and a profile discards, as paths: `events.push_robot`.
 *  @param base the base task of the task  @param trained the task with the profile applied */
export function discardedSettings(base: TaskConfig, task: TaskConfig, trained: TaskConfig): string[] {
  return CHANGED.flatMap((key) => discarded(base[key], task[key], trained[key], [key]));
}

function discarded(base: unknown, set: unknown, trained: unknown, path: readonly string[]): string[] {
  if (isDeepStrictEqual(set, base) || isDeepStrictEqual(set, trained)) return [];
  if (!isObject(set) || !isObject(trained)) return [path.join('.')];
  const before = isObject(base) ? base : {};
  return Object.keys(set).flatMap((key) =>
    discarded(own(before, key), own(set, key), own(trained, key), [...path, key]),
  );
}
