import { constants } from 'node:os';
import process from 'node:process';
import { runEvaluation } from '../workers/evaluate/evaluate-process.ts';
import { failureText } from './failure-text.ts';

/** Runs the evaluation that an order file describes. SIGTERM ends it at once and keeps the finished parts, so that
 *  it can be resumed.
 *  @returns the exit status; after a signal 128 + the signal */
export async function evaluate(args: readonly string[]): Promise<number> {
  const [orderFile] = args;
  if (args.length !== 1 || orderFile === undefined) {
    process.stderr.write('evaluate: expected one argument, the file of the evaluation order\n');
    return 2;
  }
  const stop = new AbortController();
  let signalled: NodeJS.Signals = 'SIGTERM';
  const onSignal = (signal: NodeJS.Signals) => {
    signalled = signal;
    stop.abort();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  try {
    return (await runEvaluation(orderFile, stop.signal)) ? 0 : 128 + constants.signals[signalled];
  } catch (error) {
    if (stop.signal.aborted) return 128 + constants.signals[signalled];
    process.stderr.write(failureText('evaluate', error));
    return 1;
  }
}
