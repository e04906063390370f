import type { AgentConfig } from '../mdp/task-config.ts';
import { DEFAULT_WIDTHS } from '../mdp/tasks/agent-profile.ts';

/** Widths of the hidden layers of a policy for long motions. */
const WIDE = [256, 256, 128];
/** Duration from which motions are long, s. Measured with the G1: ten seconds of a dance are learned sooner with the
 *  default widths, 131 s of it with wide ones. Nothing in between was measured. */
const LONG_S = 60;

/** Widths of the hidden layers of both networks. */
export interface HiddenWidths {
  readonly actor: readonly number[];
  readonly critic: readonly number[];
}

/** Returns whether the trainer chooses the widths of the networks: the task lets it, and has the default widths. */
export function choosesWidths({ widen_networks: widens = false, actor, critic }: AgentConfig): boolean {
  return widens && [actor, critic].every(({ hidden_dims: dims }) => sameWidths(dims, DEFAULT_WIDTHS));
}

/** Returns the agent with networks for a motion: wide ones for a long motion, if the trainer chooses the widths.
 *  @param motionS duration of all clips, s */
export function networksFor(agent: AgentConfig, motionS: number): AgentConfig {
  return choosesWidths(agent) && motionS >= LONG_S ? withWidths(agent, { actor: WIDE, critic: WIDE }) : agent;
}

/** Returns whether the trainer itself chooses such widths for some motion. */
export function isChosenByMotion({ actor, critic }: HiddenWidths): boolean {
  return [DEFAULT_WIDTHS, WIDE].some((widths) => sameWidths(actor, widths) && sameWidths(critic, widths));
}

/** Returns the agent with networks of other widths. */
export function withWidths(agent: AgentConfig, { actor, critic }: HiddenWidths): AgentConfig {
  return {
    ...agent,
    actor: { ...agent.actor, hidden_dims: actor },
    critic: { ...agent.critic, hidden_dims: critic },
  };
}

function sameWidths(a: readonly number[], b: readonly number[]): boolean {
  return a.join() === b.join();
}
