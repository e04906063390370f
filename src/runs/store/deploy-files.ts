import { existsSync } from 'node:fs';
import path from 'node:path';
import { RUN_FILES } from './run-record.ts';

/** Returns the files of a deployed policy, relative to the folder of its run: in `exported/` and `params/`, or side by
 *  side. They need not exist. */
export function deployFiles(folder: string): { readonly onnx: string; readonly deploy: string } {
  const exists = (file: string) => existsSync(path.join(folder, file));
  return !exists(RUN_FILES.onnx) && exists(RUN_FILES.flatOnnx)
    ? { onnx: RUN_FILES.flatOnnx, deploy: RUN_FILES.flatDeploy }
    : { onnx: RUN_FILES.onnx, deploy: RUN_FILES.deploy };
}
