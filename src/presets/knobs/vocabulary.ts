import type { EventTerm } from '../../mdp/events/event-term.ts';
import type { BaseTask } from '../../mdp/tasks/base-tasks.ts';
import type { TermLibrary } from '../../mdp/term.ts';

/** The names that a robot's tasks may use: terms, base tasks and bodies. */
export interface Vocabulary {
  readonly library: TermLibrary;
  readonly events: Readonly<Record<string, EventTerm>>;
  readonly bodies: readonly string[];
  readonly joints: number;
  /** base tasks with compatible terms: a term of one works unchanged in the others */
  readonly bases: readonly BaseTask[];
}
