import { datasetsExamples } from './datasets.ts';
import { evaluationsExamples } from './evaluations.ts';
import { exportsExamples } from './exports.ts';
import { jobsExamples } from './jobs.ts';
import { playExamples } from './play.ts';
import { plotsExamples } from './plots.ts';
import { presetsExamples } from './presets.ts';
import { previewExamples } from './preview.ts';
import { recordingsExamples } from './recordings.ts';
import { robotImportExamples } from './robot-import.ts';
import { robotsExamples } from './robots.ts';
import { runsExamples } from './runs.ts';
import { serviceExamples } from './service.ts';
import { trainingExamples } from './training.ts';
import { trashExamples } from './trash.ts';

/** An example in the OpenAPI document. */
export interface Example {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly reply?: unknown;
  readonly others?: Readonly<Record<string, { readonly body: unknown; readonly reply: unknown }>>;
}

/** Examples by the name of their route. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  ...serviceExamples,
  ...robotsExamples,
  ...robotImportExamples,
  ...datasetsExamples,
  ...previewExamples,
  ...plotsExamples,
  ...presetsExamples,
  ...trainingExamples,
  ...jobsExamples,
  ...runsExamples,
  ...evaluationsExamples,
  ...exportsExamples,
  ...playExamples,
  ...trashExamples,
  ...recordingsExamples,
};
