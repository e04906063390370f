import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { loadMujoco } from '../../sim/mujoco.ts';
import { distilRank } from '../../train/library/distil-rank.ts';
import { LibraryRun } from '../../train/library/library-run.ts';
import { measureChunks } from '../../train/library/measure-chunks.ts';
import { PhaseListener, type PhaseOptions } from '../../train/library/phase-listener.ts';
import { trainExpert } from '../../train/library/train-expert.ts';
import { RunFolder } from '../../train/run-folder.ts';
import { trainRank } from '../../train/train-rank.ts';
import { TrainingRecorder } from '../../train/training-recorder.ts';
import type { LibraryThread, LibraryThreadNews } from './messages.ts';

const { order, library, memory, rank, resume, levels, start, part } = workerData as LibraryThread;
const post = (news: LibraryThreadNews) => parentPort!.postMessage(news);
const options = {
  order,
  mj: await loadMujoco(),
  physics: readFileSync(order.robot.physicsPath),
  library,
  memory,
  rank,
  resume,
  levels,
  start,
};

/** Records a phase that all threads train together. Only the first thread records. */
function recorded(phase: PhaseOptions): PhaseListener | null {
  if (rank !== 0) return null;
  const { config } = order;
  const run = new RunFolder(order, config, library);
  const recorder = new TrainingRecorder(run, {
    stepS: config.decimation * config.sim.timestep,
    horizonS: config.episode_length_s,
    startedFrom: order.start?.run ?? null,
    earlier: phase.earlier,
  });
  return new PhaseListener(run, recorder, phase);
}

function tellEnd(listener: PhaseListener | null): void {
  if (listener) post({ kind: 'end', stopped: listener.stopped, phase: listener.end });
}

switch (part.kind) {
  case 'base': {
    const listener = recorded(part.phase);
    trainRank({ ...options, listener });
    tellEnd(listener);
    break;
  }
  case 'measure':
    post({ kind: 'measured', tracked: measureChunks(options) });
    break;
  case 'expert': {
    const run = new LibraryRun(order.runFolder);
    const isFinished = trainExpert(options, run, part.expert, (report) => post({ kind: 'iteration', report }));
    post({ kind: 'end', stopped: !isFinished, phase: null });
    break;
  }
  case 'distillation': {
    const listener = recorded(part.phase);
    distilRank({ ...options, listener, experts: part.experts, expertRows: part.expertRows });
    tellEnd(listener);
    break;
  }
}
