import { OBSERVATIONS } from './observations/observations.ts';
import { REWARDS } from './rewards/rewards.ts';
import type { TermLibrary } from './term.ts';
import { TERMINATIONS } from './terminations/terminations.ts';

/** All terms that a task can use. */
export const LIBRARY: TermLibrary = { observations: OBSERVATIONS, rewards: REWARDS, terminations: TERMINATIONS };
