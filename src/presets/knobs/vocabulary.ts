import type { EventTerm } from '../../mdp/events/event-term.ts';
import type { BaseTask } from '../../mdp/tasks/base-tasks.ts';
import type { TermLibrary } from '../../mdp/term.ts';

/** The words of a robot's tasks: what terms there are, and what its bodies are called. */
export interface Vocabulary {
  readonly library: TermLibrary;
  readonly events: Readonly<Record<string, EventTerm>>;
  readonly bodies: readonly string[];
  readonly joints: number;
  /** terms of any of them may be added to the others as they are */
  readonly bases: readonly BaseTask[];
}
