import { call } from '../../net/api.ts';
import { jobs } from '../jobs/jobs-store.ts';
import { TrainingCurves } from './training-curves.ts';

/** The page's curves. */
export const { curvesBy, followCurves } = new TrainingCurves({ call, jobs });
