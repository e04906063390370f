import { inspectModel } from '../../src/robot-import/inspect/inspect-model.ts';
import type { Inspection } from '../../src/robot-import/inspect/inspection.ts';
import { compileSpec, prepareModel } from '../../src/robots/prepare/prepare-model.ts';
import { loadMujoco } from '../../src/sim/mujoco.ts';

const mj = await loadMujoco();

/** Inspects a model of one file. @returns the inspection with the suggested spec */
export function inspected(mjcf: string, id = 'robot'): Inspection {
  const file = `${id}.xml`;
  const prepared = prepareModel(mj, new Map([[file, Buffer.from(mjcf)]]), file);
  const model = compileSpec(mj, prepared.spec, file);
  try {
    return inspectModel(mj, model, prepared, { id, model: file });
  } finally {
    model.delete();
    prepared.spec.delete();
  }
}
