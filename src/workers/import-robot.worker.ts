import { parentPort, workerData } from 'node:worker_threads';
import { messageOf, StudioError } from '../core/errors.ts';
import { checkRobot } from '../robots/check/check-robot.ts';
import { compileSpec, prepareModel } from '../robots/import/prepare-model.ts';
import { inspectModel } from '../robots/inspect/inspect-model.ts';
import type { RobotDraft } from '../robots/inspect/inspection.ts';
import { readModelFiles } from '../robots/robot-source.ts';
import { loadMujoco } from '../sim/mujoco.ts';
import type { FromImport, ImportOrder } from './messages.ts';

async function inspect(folder: string, draft: RobotDraft): Promise<FromImport> {
  const files = readModelFiles(folder);
  const mj = await loadMujoco();
  const { spec, ...findings } = prepareModel(mj, files, draft.model);
  const model = compileSpec(mj, spec, draft.model);
  const inspection = inspectModel(mj, model, findings, draft);
  return { type: 'inspected', format: findings.format, inspection };
}

async function answer(order: ImportOrder): Promise<FromImport> {
  try {
    if (order.kind === 'inspect') return await inspect(order.folder, order.draft);
    const files = readModelFiles(order.folder);
    return { type: 'checked', report: checkRobot(await loadMujoco(), files, order.spec) };
  } catch (error) {
    const known = error instanceof StudioError;
    return { type: 'failed', code: known ? error.code : 'internal', detail: messageOf(error) };
  }
}

parentPort?.postMessage(await answer(workerData as ImportOrder));
