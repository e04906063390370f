import process from 'node:process';
import { useFusedKernels } from '../policy/kernels/kernels.ts';
import { inlineMujocoFunctions } from '../sim/mujoco.ts';

/** Program of detached jobs, started by the service: `job-process <kind> <order file>`. */
const [kind = '', ...args] = process.argv.slice(2);
inlineMujocoFunctions();
useFusedKernels();
if (kind === 'train') {
  const { train } = await import('./train.ts');
  process.exitCode = await train(args);
} else if (kind === 'evaluate') {
  const { evaluate } = await import('./evaluate.ts');
  process.exitCode = await evaluate(args);
} else {
  process.stderr.write(`job-process: unknown kind of job ${JSON.stringify(kind)}\n`);
  process.exitCode = 2;
}
process.exit();
