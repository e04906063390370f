import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { loadMujoco } from '../../sim/mujoco.ts';
import { horizonOf } from '../../train/evaluation-horizon.ts';
import { RunFolder } from '../../train/run-folder.ts';
import { trainRank } from '../../train/train-rank.ts';
import { TrainingRecorder } from '../../train/training-recorder.ts';
import type { TrainThread, TrainThreadEnd } from './messages.ts';

const { order, library, memory, rank, resume, levels, start } = workerData as TrainThread;
const task = order.config;
const recorder =
  rank === 0
    ? new TrainingRecorder(new RunFolder(order, task, library), {
        stepS: task.decimation * task.sim.timestep,
        horizonS: horizonOf(task),
        startFrom: order.start?.run ?? null,
        origin: order.origin ?? null,
      })
    : null;
trainRank({
  order,
  mj: await loadMujoco(),
  physics: readFileSync(order.robot.physicsPath),
  library,
  memory,
  rank,
  resume,
  levels,
  start,
  listener: recorder,
});
if (recorder) parentPort!.postMessage({ stopped: recorder.stopped } satisfies TrainThreadEnd);
