import { expect, test } from 'vitest';
import type { AgentConfig } from '../../src/mdp/task-config.ts';
import { builtinAgent } from '../../src/mdp/tasks/agent-profile.ts';
import { choosesWidths, isChosenByMotion, networksFor, withWidths } from '../../src/train/network-widths.ts';

const agent = builtinAgent('wbc', 29);
const widths = ({ actor, critic }: AgentConfig) => [actor.hidden_dims, critic.hidden_dims];

test('the default widths grow for a minute of motion; other widths and tasks that forbid it keep theirs', () => {
  expect(widths(networksFor(agent, 59.9))).toEqual([
    [128, 128, 64],
    [128, 128, 64],
  ]);
  const wide = networksFor(agent, 60);
  expect(widths(wide)).toEqual([
    [256, 256, 128],
    [256, 256, 128],
  ]);
  expect(choosesWidths(wide)).toBe(false);
  const forbidden = { ...agent, widen_networks: false };
  expect(networksFor(forbidden, 1000)).toBe(forbidden);
  const chosen = withWidths(agent, { actor: [128, 128, 64], critic: [512, 256] });
  expect(networksFor(chosen, 1000)).toBe(chosen);
});

test('widths that are chosen for some motion are recognised', () => {
  const both = (hidden: readonly number[]) => isChosenByMotion({ actor: hidden, critic: hidden });
  expect([both([128, 128, 64]), both([256, 256, 128]), both([512, 256, 128])]).toEqual([true, true, false]);
  expect(isChosenByMotion({ actor: [256, 256, 128], critic: [128, 128, 64] })).toBe(false);
});
