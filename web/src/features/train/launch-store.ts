import { call } from '../../net/api.ts';
import { ownJob } from '../jobs/jobs-store.ts';
import { TrainingLaunch } from './training-launch.ts';

/** The page's launches. */
export const launches = new TrainingLaunch({ call, ownJob });
export const { choices } = launches;
