import { type Static, Type } from 'typebox';
import { nullable, oneOf } from '../route.ts';

const EXPORT_FORMATS = ['whole_body_tracking', 'unitree', 'wbc-g1-deploy'] as const;
export const ExportFormat = oneOf(EXPORT_FORMATS, {
  description:
    '`whole_body_tracking`: one ONNX file with the clip inside. `unitree`: folder with deploy.yaml. `wbc-g1-deploy`: folder with config.yaml and a manifest of clips',
});
export type ExportFormat = Static<typeof ExportFormat>;

/** Result of running the written files beside the policy of the run. */
export const SelfTest = Type.Object({
  ok: Type.Boolean({
    description: 'Whether the exported policy gives the same joint targets as the run and tracks the clip as long',
  }),
  max_action_difference: nullable(
    Type.Number({
      description:
        'Largest difference to an action of the run, in units of the action; null: there is no run to compare with',
    }),
  ),
  tracked_s: nullable(Type.Number({ description: 'Time tracked with the files, s; null: they could not be run' })),
  run_tracked_s: nullable(
    Type.Number({ description: 'Time tracked with the policy of the run, s; null: there is no run to compare with' }),
  ),
  text: Type.String({ description: 'Description of the test, or of the problem with the name of the joint' }),
});
export type SelfTest = Static<typeof SelfTest>;

/** An exported bundle on disk. */
export const Export = Type.Object({
  name: Type.String(),
  run: Type.String({ description: 'Path of the run' }),
  format: ExportFormat,
  checkpoint: Type.String(),
  clip: Type.String(),
  bytes: Type.Integer({ description: 'Size of all files' }),
  created: Type.String({ description: 'ISO-8601 UTC' }),
  selftest: SelfTest,
});
export type Export = Static<typeof Export>;
