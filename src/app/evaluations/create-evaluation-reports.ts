import type { AppContext } from '../app-context.ts';
import type { ClipEdits } from '../data/clip-edits.ts';
import type { DatasetStores } from '../data/dataset-stores.ts';
import { EvaluationReports } from './evaluation-reports.ts';
import type { Evaluations } from './evaluations.ts';
import { FailureDatasets } from './failure-datasets.ts';

export interface ReportParts {
  readonly evaluations: Evaluations;
  readonly edits: ClipEdits;
  readonly stores: DatasetStores;
}

/** Creates the modules that process results of evaluations: reports, comparisons and datasets of failures. */
export function createEvaluationReports(
  { busy, selected, pool }: AppContext,
  { evaluations, edits, stores }: ReportParts,
): { readonly evaluationReports: EvaluationReports; readonly failureDatasets: FailureDatasets } {
  return {
    evaluationReports: new EvaluationReports({ pool, evaluation: (name, field) => evaluations.stored(name, field) }),
    failureDatasets: new FailureDatasets({
      busy,
      robot: () => selected.facts().id,
      store: () => stores.of(selected.facts().id),
      evaluation: (name) => evaluations.stored(name, 'name'),
      stretches: (stored, options) => pool.run('stretchesOfStored', stored, options),
      order: (dataset, clip, steps) => edits.order(dataset, clip, steps),
      edit: (order, target) => pool.run('editClipFile', order, target),
    }),
  };
}
