/** Inspects or checks a robot once in a separate process, as the service does in a temporary thread.
 *  Usage: `robot-import.ts WAY FOLDER MODEL SPEC`. Ways: `bare` (MuJoCo only compiles the files), `inspect`, `check`.
 *  Prints the measurements as JSON. */
import { readFileSync } from 'node:fs';
import { threadCpuS } from '../harness/process-cpu.ts';
import { fromDist } from '../harness/product.ts';

const { loadMujoco } = await fromDist<typeof import('../../src/sim/mujoco.ts')>('sim/mujoco.js');
const { readModelFiles } = await fromDist<typeof import('../../src/robots/robot-source.ts')>('robots/robot-source.js');
const { compileSpec, prepareModel } = await fromDist<typeof import('../../src/robots/prepare/prepare-model.ts')>(
  'robots/prepare/prepare-model.js',
);
const { inspectModel } = await fromDist<typeof import('../../src/robot-import/inspect/inspect-model.ts')>(
  'robot-import/inspect/inspect-model.js',
);
const { checkRobot } = await fromDist<typeof import('../../src/robot-import/check/check-robot.ts')>(
  'robot-import/check/check-robot.js',
);

const [way, folder, modelFile, specFile] = process.argv.slice(2) as [string, string, string, string];
const mj = await loadMujoco();
const started = performance.now();
const cpu = threadCpuS();
const files = readModelFiles(folder);
let ok = true;
if (way === 'bare') {
  mj.FS.mkdir('/bare');
  for (const name of files.keys()) {
    const parts = name.split('/');
    for (let k = 1; k < parts.length; k += 1) {
      const parent = `/bare/${parts.slice(0, k).join('/')}`;
      if (!mj.FS.analyzePath(parent, false).exists) mj.FS.mkdir(parent);
    }
    mj.FS.writeFile(`/bare/${name}`, files.get(name)!);
  }
  mj.MjModel.from_xml_path(`/bare/${modelFile}`);
} else if (way === 'inspect') {
  const { spec, ...findings } = prepareModel(mj, files, modelFile);
  const model = compileSpec(mj, spec, modelFile);
  const { wiring } = inspectModel(mj, model, findings, { id: 'robot', model: modelFile });
  ok = wiring.feet.length === 2;
} else {
  ok = checkRobot(mj, files, JSON.parse(readFileSync(specFile, 'utf8'))).ok;
}
const figures = { cpuS: threadCpuS() - cpu, wallS: (performance.now() - started) / 1e3, ok };
process.stdout.write(`${JSON.stringify(figures)}\n`);
