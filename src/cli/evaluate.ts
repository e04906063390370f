import { constants } from 'node:os';
import process from 'node:process';
import { messageOf } from '../core/errors.ts';
import { runEvaluation } from '../workers/evaluate/evaluate-process.ts';

/** Runs an evaluation with the order in a file. SIGTERM ends it at once; finished parts
 *  stay for a resumption, and the exit status is 128 + the signal. @returns the exit status */
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
    process.stderr.write(`evaluate: ${messageOf(error)}\n`);
    if (error instanceof Error && error.cause instanceof Error) process.stderr.write(`${error.cause.stack}\n`);
    return 1;
  }
}
