import { OBSERVATIONS } from './observations/observations.ts';
import { REWARDS } from './rewards/rewards.ts';
import type { TermLibrary } from './term.ts';
import { TERMINATIONS } from './terminations/terminations.ts';

/** Every term of this service: what a task may be made of. */
export const LIBRARY: TermLibrary = { observations: OBSERVATIONS, rewards: REWARDS, terminations: TERMINATIONS };
