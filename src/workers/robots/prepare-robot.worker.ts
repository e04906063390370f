import { parentPort, workerData } from 'node:worker_threads';
import { messageOf, StudioError } from '../../core/errors.ts';
import { prepareRobot } from '../../robots/prepared-robot.ts';
import type { FromPrepare, PrepareOrder } from './prepare-messages.ts';

const { source, cache } = workerData as PrepareOrder;
const answer = (message: FromPrepare) => parentPort?.postMessage(message);
try {
  answer({ type: 'prepared', robot: await prepareRobot(source, cache) });
} catch (error) {
  const known = error instanceof StudioError;
  answer({ type: 'failed', code: known ? error.code : 'internal', detail: messageOf(error) });
}
