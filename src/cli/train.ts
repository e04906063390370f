import { constants } from 'node:os';
import process from 'node:process';
import { runTraining } from '../workers/train/train-process.ts';
import { failureText } from './failure-text.ts';

/** Runs the built-in trainer with an order file. SIGTERM ends the training within a step or an update, with a
 *  checkpoint.
 *  @returns the exit status; after a signal 128 + the signal, as after a kill */
export async function train(args: readonly string[]): Promise<number> {
  const [orderFile] = args;
  if (args.length !== 1 || orderFile === undefined) {
    process.stderr.write('train: expected the file of the training order\n');
    return 2;
  }
  let stop: (() => void) | null = null;
  let signalled: NodeJS.Signals | null = null;
  const onSignal = (signal: NodeJS.Signals) => {
    signalled = signal;
    stop?.();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  try {
    const stopped = await runTraining(orderFile, (ask) => {
      stop = ask;
      if (signalled !== null) ask();
    });
    return stopped ? 128 + constants.signals[signalled ?? 'SIGTERM'] : 0;
  } catch (error) {
    process.stderr.write(failureText('train', error));
    return 1;
  }
}
