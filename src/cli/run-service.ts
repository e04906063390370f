import process from 'node:process';
import { messageOf, StudioError } from '../core/errors.ts';
import { spanText } from '../core/log/format-numbers.ts';
import { createLogger, type RootLogger } from '../core/logger.ts';
import { fail } from './exit.ts';
import { EXIT } from './exit-codes.ts';
import { LoadError } from './load-app.ts';
import type { StartOptions } from './options.ts';
import { UsageError } from './parse-flags.ts';
import { checkRuntime, startError } from './runtime-check.ts';
import type { Service } from './service.ts';

/** Time limit for stopping the service, ms. The log is closed after that. */
const STOP_MS = 4000;

/** Runs the service until a signal ends the process. A start that fails ends the process with the reason on stderr.
 *  @throws the error of Node if a file of the installation cannot be loaded */
export async function runService(options: StartOptions, version: string): Promise<void> {
  try {
    checkRuntime();
  } catch (error) {
    fail(error, EXIT.failed);
  }
  const pretty = process.stderr.isTTY === true;
  const colour = pretty && process.env['NO_COLOR'] === undefined;
  const logger = createLogger({ level: options.logLevel, pretty, colour });
  // Loaded after the check: its modules need what the check looks for.
  const { Service } = await import('./service.ts');
  const service = new Service(options, version, logger);
  endOnBugs(logger);
  // The parent may close stdout after it has read the ready line.
  process.stdout.on('error', () => {});
  const isStopping = stopOnSignals(service, logger);
  try {
    const url = await service.start();
    if (url !== null) process.stdout.write(`motion-studio listening on ${url}\n`);
  } catch (thrown) {
    if (isStopping()) await new Promise(() => {}); // A stop is in progress and ends the process.
    await service.stop();
    await endStart(thrown, logger);
  }
}

/** Logs a bug and ends the process, because a bug leaves it in an unknown state. */
function endOnBugs(logger: RootLogger): void {
  const die = (error: unknown) => {
    logger.error({ err: error }, `the service ends: ${messageOf(error)}`);
    void exit(logger, EXIT.failed);
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
}

/** Stops the service on the first SIGTERM or SIGINT, and ends the process at once on the second.
 *  @returns a function that tells whether the service is stopping */
function stopOnSignals(service: Service, logger: RootLogger): () => boolean {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(EXIT.done);
    stopping = true;
    logger.info(`Stopping on ${signal}, after ${spanText(process.uptime())}`);
    const end = () => {
      logger.info('Stopped');
      void exit(logger, EXIT.done);
    };
    setTimeout(end, STOP_MS).unref();
    service.stop().then(end, (error: unknown) => {
      logger.error({ err: error }, 'the service did not stop cleanly');
      end();
    });
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return () => stopping;
}

async function endStart(thrown: unknown, logger: RootLogger): Promise<never> {
  const error = startError(thrown instanceof LoadError ? thrown.cause : thrown);
  // The launcher in `bin/`, which loads the command line, knows which errors mean a damaged installation.
  if (thrown instanceof LoadError && error === thrown.cause) throw error;
  if (!(error instanceof StudioError || error instanceof UsageError))
    logger.error({ err: error }, 'the service did not start');
  await logger.close();
  fail(error, error instanceof UsageError ? EXIT.usage : EXIT.failed);
}

async function exit(logger: RootLogger, code: number): Promise<never> {
  await logger.close();
  process.exit(code);
}
