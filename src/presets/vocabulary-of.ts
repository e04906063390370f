import { EVENTS } from '../mdp/events/events.ts';
import { LIBRARY } from '../mdp/library.ts';
import { baseTasks } from '../mdp/tasks/base-tasks.ts';
import type { Vocabulary } from './knobs/vocabulary.ts';

type Facts = Parameters<typeof baseTasks>[0];

const made = new WeakMap<Facts, Vocabulary>();

/** Returns terms, base tasks and body names for a robot's tasks. Computed once per robot. */
export function vocabularyOf(facts: Facts): Vocabulary {
  let words = made.get(facts);
  if (!words) {
    words = {
      library: LIBRARY,
      events: EVENTS,
      bodies: facts.bodies.map(({ name }) => name),
      joints: facts.joints.length,
      bases: baseTasks(facts),
    };
    made.set(facts, words);
  }
  return words;
}
