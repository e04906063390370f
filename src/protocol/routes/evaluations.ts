import { Type } from 'typebox';
import { nameOf, oneOf, route, strictBody } from '../route.ts';
import { Ok, SlowReply } from '../schemas/busy.ts';
import { Condition, Evaluation, Gate, ListedEvaluation } from '../schemas/evaluation.ts';
import { Difference } from '../schemas/evaluation-comparison.ts';
import { runPath } from '../schemas/run-path.ts';

export const startEvaluation = route({
  method: 'POST',
  path: '/api/evaluate',
  tag: 'Evaluations',
  summary:
    'Evaluates checkpoints of a run on clips, from several start times and under several conditions, as a job. It continues if the service stops',
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
  summary: 'Lists evaluations with their summaries, newest first. The results of an unfinished evaluation are empty',
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

export const getEvaluationReport = route({
  method: 'GET',
  path: '/api/evaluations/{name}/report',
  tag: 'Evaluations',
  summary: 'Gets the report of an evaluation. The HTML is one file without references; CSV and JSON have every episode',
  query: Type.Object({ format: Type.Optional(oneOf(['html', 'json', 'csv'], { default: 'html' })) }),
  reply: { contentType: 'text/html', description: 'The report, as `text/html`, `application/json` or `text/csv`' },
});

export const compareStoredEvaluations = route({
  method: 'GET',
  path: '/api/evaluations/compare',
  tag: 'Evaluations',
  summary:
    'Compares two evaluations of the same motion, clips, starts, seed and conditions: differences b − a of all metrics with 95 % intervals (paired bootstrap over clips and starts)',
  query: Type.Object({
    a: nameOf('Name of an evaluation'),
    b: nameOf('Name of an evaluation; the same as `a` to compare two of its checkpoints'),
    a_checkpoint: Type.Optional(Type.String({ description: 'Absent: the first checkpoint. `""`: zero action' })),
    b_checkpoint: Type.Optional(Type.String({ description: 'Absent: the first checkpoint. `""`: zero action' })),
  }),
  reply: Type.Object({ differences: Type.Array(Difference, { description: 'By condition and metric' }) }),
});

export const collectFailures = route({
  method: 'POST',
  path: '/api/evaluations/{name}/dataset',
  tag: 'Evaluations',
  summary: 'Makes a dataset of the stretches around failures. The clips of the evaluation stay as they are',
  slow: true,
  stores: true,
  body: strictBody({
    dataset: nameOf('Name of the new dataset'),
    below: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1,
      description:
        'Uses clips whose success under a checkpoint and condition is below this share, 0..1. 1: every clip with a failure',
    }),
    margin_s: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 60,
        default: 2,
        description: 'Time before and after a failure, s. Stretches that overlap are joined',
      }),
    ),
    checkpoint: Type.Optional(Type.String({ description: 'Absent: failures of all checkpoints are used' })),
    condition: Type.Optional(nameOf('Absent: failures under all conditions are used')),
  }),
  reply: SlowReply,
});
