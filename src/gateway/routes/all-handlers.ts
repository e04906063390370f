import type { App } from '../../app/app.ts';
import type { Handler } from '../kernel/handler.ts';
import { datasetsHandlers } from './datasets.ts';
import { evaluationsHandlers } from './evaluations.ts';
import { exportsHandlers } from './exports.ts';
import { jobsHandlers } from './jobs.ts';
import { playHandlers } from './play.ts';
import { plotsHandlers } from './plots.ts';
import { presetsHandlers } from './presets.ts';
import { previewHandlers } from './preview.ts';
import { recordingsHandlers } from './recordings.ts';
import { robotImportHandlers } from './robot-import.ts';
import { robotsHandlers } from './robots.ts';
import { runsHandlers } from './runs.ts';
import { type ServiceParts, serviceHandlers } from './service.ts';
import { trainingHandlers } from './training.ts';
import { trashHandlers } from './trash.ts';

/** The handlers of every route. Each file here has the handlers of the protocol's file of the same name. */
export function allHandlers(parts: ServiceParts): readonly Handler<App>[] {
  return [
    ...serviceHandlers(parts),
    ...robotsHandlers,
    ...robotImportHandlers,
    ...datasetsHandlers,
    ...previewHandlers,
    ...plotsHandlers,
    ...presetsHandlers,
    ...trainingHandlers,
    ...jobsHandlers,
    ...runsHandlers,
    ...evaluationsHandlers,
    ...exportsHandlers,
    ...playHandlers,
    ...trashHandlers,
    ...recordingsHandlers,
  ];
}
