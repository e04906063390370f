import {
  collectFailures,
  compareStoredEvaluations,
  deleteEvaluation,
  getEvaluation,
  getEvaluationReport,
  listEvaluations,
  startEvaluation,
} from '../../protocol/routes/evaluations.ts';
import { handle, handleContent, ok } from './handle.ts';

export const evaluationsHandlers = [
  handle(startEvaluation, ({ evaluations }, { body, signal }) => evaluations.start(body, signal)),
  handle(listEvaluations, ({ evaluations }, { query }) => evaluations.list(query.run ?? null)),
  handle(getEvaluation, ({ evaluations }, { params }) => evaluations.get(params.name)),
  handle(deleteEvaluation, async ({ evaluations }, { params }) => {
    await evaluations.remove(params.name);
    return ok();
  }),
  handleContent(getEvaluationReport, ({ evaluationReports }, { params, query }) =>
    evaluationReports.report(params.name, query.format ?? 'html'),
  ),
  handle(compareStoredEvaluations, ({ evaluationReports }, { query }) => evaluationReports.compare(query)),
  handle(collectFailures, async ({ failureDatasets }, { params, body }) =>
    ok({ task: await failureDatasets.start(params.name, body) }),
  ),
];
