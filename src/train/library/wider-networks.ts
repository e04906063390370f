import type { AgentConfig } from '../../mdp/task-config.ts';

/** Minimum widths of the hidden layers of a policy for a whole library. */
const WIDTHS = [256, 256, 128];

/** Returns the agent with networks that are at least as wide as a policy for a whole library needs. Networks with
 *  another number of layers are not changed, because the user chose them. */
export function widerNetworks(agent: AgentConfig): AgentConfig {
  const wider = (dims: readonly number[]) =>
    dims.length === WIDTHS.length ? dims.map((width, k) => Math.max(width, WIDTHS[k]!)) : dims;
  return {
    ...agent,
    actor: { ...agent.actor, hidden_dims: wider(agent.actor.hidden_dims) },
    critic: { ...agent.critic, hidden_dims: wider(agent.critic.hidden_dims) },
  };
}
