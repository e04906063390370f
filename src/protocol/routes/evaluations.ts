import { Type } from 'typebox';
import { nameOf, route, strictBody } from '../route.ts';
import { Ok } from '../schemas/busy.ts';
import { Condition, Evaluation, Gate, ListedEvaluation } from '../schemas/evaluation.ts';
import { runPath } from '../schemas/run-path.ts';

export const startEvaluation = route({
  method: 'POST',
  path: '/api/evaluate',
  tag: 'Evaluations',
  summary:
    'Evaluates checkpoints of a run over clips, starts and conditions as a job. It continues if the service stops',
  stores: true,
  conflict: 'the evaluation of `resume` is still running',
  body: strictBody({
    run: runPath,
    checkpoints: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 1000,
        description: 'Names of checkpoints; `""`: zero action. Absent: the latest',
      }),
    ),
    motion: Type.Optional(
      nameOf("`path` of a motion library: see GET /api/play/libraries. Absent: the run's own library"),
    ),
    clips: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 100_000,
        description: 'Names of clips. Absent: all that are not excluded',
      }),
    ),
    starts: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        default: 4,
        description: 'Starts per clip: the first is frame 0, the others are spread evenly',
      }),
    ),
    horizon_s: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 86_400,
        description: "Longest episode, s. Absent: to the clip's end",
      }),
    ),
    conditions: Type.Optional(
      Type.Array(Type.Union([Type.String(), Condition]), {
        minItems: 1,
        maxItems: 200,
        description:
          'Names (`nominal`, `pushes`, `noise`, `randomised`, `task`: all three, `robustness`: about 24 conditions that vary one setting each) or objects. Absent: `nominal`',
      }),
    ),
    seed: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, default: 0 })),
    gate: Type.Optional(Gate),
    launcher: Type.Optional(nameOf('Launcher: see GET /api/tasks', { default: 'local' })),
    resume: Type.Optional(nameOf('Name of a stopped, failed or lost evaluation of the run to continue')),
  }),
  reply: Type.Object({
    ok: Type.Literal(true),
    job: Type.String({ description: 'Name of the job: see GET /api/jobs/{name}' }),
    evaluation: Type.String({ description: 'Name of the evaluation: see GET /api/evaluations/{name}' }),
  }),
});

export const listEvaluations = route({
  method: 'GET',
  path: '/api/evaluations',
  tag: 'Evaluations',
  summary: 'Lists evaluations with their summaries, newest first. The results of an unfinished one are empty',
  query: Type.Object({ run: Type.Optional(runPath) }),
  reply: Type.Object({ evaluations: Type.Array(ListedEvaluation) }),
});

export const getEvaluation = route({
  method: 'GET',
  path: '/api/evaluations/{name}',
  tag: 'Evaluations',
  summary: 'Gets one evaluation with its tables of clips and joints',
  reply: Evaluation,
});

export const deleteEvaluation = route({
  method: 'DELETE',
  path: '/api/evaluations/{name}',
  tag: 'Evaluations',
  summary: 'Deletes an evaluation',
  conflict: 'its job is queued or running. Stop it first',
  stores: true,
  reply: Ok,
});
