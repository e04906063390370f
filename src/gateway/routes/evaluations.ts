import {
  deleteEvaluation,
  getEvaluation,
  listEvaluations,
  startEvaluation,
} from '../../protocol/routes/evaluations.ts';
import { handle, ok } from './handle.ts';

export const evaluationsHandlers = [
  handle(startEvaluation, ({ evaluations }, { body, signal }) => evaluations.start(body, signal)),
  handle(listEvaluations, ({ evaluations }, { query }) => evaluations.list(query.run ?? null)),
  handle(getEvaluation, ({ evaluations }, { params }) => evaluations.get(params.name)),
  handle(deleteEvaluation, async ({ evaluations }, { params }) => {
    await evaluations.remove(params.name);
    return ok();
  }),
];
