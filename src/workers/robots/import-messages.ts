import type { ErrorCode } from '../../protocol/errors.ts';
import type { RobotSpec } from '../../protocol/schemas/robots.ts';
import type { CheckReport } from '../../robot-import/check/check-report.ts';
import type { Inspection, RobotDraft } from '../../robot-import/inspect/inspection.ts';
import type { ModelFormat } from '../../robots/prepare/prepared-model.ts';
import type { PreparedRobot } from '../../robots/prepared-robot.ts';

/** `workerData` of the thread that inspects or checks a new robot. `FromImport` is its answer. */
export type ImportOrder =
  | { readonly kind: 'inspect'; readonly folder: string; readonly draft: RobotDraft; readonly cache: string }
  | { readonly kind: 'check'; readonly folder: string; readonly spec: RobotSpec };

export type FromImport =
  | {
      readonly type: 'inspected';
      readonly format: ModelFormat;
      readonly inspection: Inspection;
      /** robot compiled with the suggested spec */
      readonly prepared: PreparedRobot;
    }
  | { readonly type: 'checked'; readonly report: CheckReport }
  | { readonly type: 'failed'; readonly code: ErrorCode; readonly detail: string };
