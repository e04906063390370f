import { parentPort, workerData } from 'node:worker_threads';
import { messageOf, StudioError } from '../../core/errors.ts';
import { checkRobot } from '../../robot-import/check/check-robot.ts';
import { inspectModel } from '../../robot-import/inspect/inspect-model.ts';
import type { RobotDraft } from '../../robot-import/inspect/inspection.ts';
import { compileSpec, prepareModel } from '../../robots/prepare/prepare-model.ts';
import { keepPrepared } from '../../robots/prepared-robot.ts';
import { finishRobotModel } from '../../robots/robot-model.ts';
import { contentKey, readModelFiles } from '../../robots/robot-source.ts';
import { loadMujoco } from '../../sim/mujoco.ts';
import type { FromImport, ImportOrder } from './import-messages.ts';

/** Inspects the model. Also compiles it with the suggested spec for the preview, while its meshes are still loaded. */
async function inspect(folder: string, draft: RobotDraft, cache: string): Promise<FromImport> {
  const files = readModelFiles(folder);
  const mj = await loadMujoco();
  const findings = prepareModel(mj, files, draft.model);
  const model = compileSpec(mj, findings.spec, draft.model);
  const inspection = inspectModel(mj, model, findings, draft);
  model.delete();
  const key = contentKey(inspection.spec, files);
  const prepared = keepPrepared(cache, key, finishRobotModel(mj, findings, inspection.spec));
  return { type: 'inspected', format: findings.format, inspection, prepared };
}

async function answer(order: ImportOrder): Promise<FromImport> {
  try {
    if (order.kind === 'inspect') return await inspect(order.folder, order.draft, order.cache);
    const files = readModelFiles(order.folder);
    return { type: 'checked', report: checkRobot(await loadMujoco(), files, order.spec) };
  } catch (error) {
    const known = error instanceof StudioError;
    return { type: 'failed', code: known ? error.code : 'internal', detail: messageOf(error) };
  }
}

parentPort?.postMessage(await answer(workerData as ImportOrder));
