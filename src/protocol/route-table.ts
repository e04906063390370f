import type { RouteSpec } from './route.ts';
import * as datasets from './routes/datasets.ts';
import * as evaluations from './routes/evaluations.ts';
import * as exports from './routes/exports.ts';
import * as jobs from './routes/jobs.ts';
import * as play from './routes/play.ts';
import * as plots from './routes/plots.ts';
import * as presets from './routes/presets.ts';
import * as preview from './routes/preview.ts';
import * as recordings from './routes/recordings.ts';
import * as robotImport from './routes/robot-import.ts';
import * as robots from './routes/robots.ts';
import * as runs from './routes/runs.ts';
import * as service from './routes/service.ts';
import * as training from './routes/training.ts';
import * as trash from './routes/trash.ts';

const table = {
  ...service,
  ...robots,
  ...robotImport,
  ...datasets,
  ...preview,
  ...plots,
  ...presets,
  ...training,
  ...jobs,
  ...runs,
  ...evaluations,
  ...exports,
  ...play,
  ...trash,
  ...recordings,
} as const;

/** Every route of the HTTP API by its name. */
export const ROUTES: { readonly [K in keyof typeof table]: (typeof table)[K] } = table;

type RouteName = keyof typeof ROUTES;

/** The routes keyed as a client writes them: `'POST /api/robot/joint'`. */
export type RouteByKey = {
  readonly [K in RouteName as `${(typeof ROUTES)[K]['method']} ${(typeof ROUTES)[K]['path']}`]: (typeof ROUTES)[K];
};

export function allRoutes(): readonly RouteSpec[] {
  return Object.values(ROUTES);
}
