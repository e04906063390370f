import type { BaseTask } from '../../mdp/tasks/base-tasks.ts';
import type { ParamSchema, TermLibrary } from '../../mdp/term.ts';

/** What an event's parameters are. */
export interface EventDescription {
  readonly description: string;
  readonly params: Readonly<Record<string, ParamSchema>>;
}

/** The words of a robot's tasks: what terms there are, and what its bodies are called. */
export interface Vocabulary {
  readonly library: TermLibrary;
  readonly events: Readonly<Record<string, EventDescription>>;
  readonly bodies: readonly string[];
  readonly joints: number;
  /** terms of any of them may be added to the others as they are */
  readonly bases: readonly BaseTask[];
}
