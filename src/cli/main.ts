import { readFileSync } from 'node:fs';
import process from 'node:process';
import { messageOf, StudioError } from '../core/errors.ts';
import { spanText } from '../core/log/format-numbers.ts';
import { createLogger } from '../core/logger.ts';
import { COMMANDS } from './commands/command-table.ts';
import { EXIT } from './exit-codes.ts';
import { LoadError } from './load-app.ts';
import { isLocalCommand } from './local/local-summaries.ts';
import { readOptions } from './options.ts';
import { UsageError } from './parse-flags.ts';
import { checkRuntime, startError } from './runtime-check.ts';

/** Time limit for stopping the service, ms. The log is closed after that. */
const STOP_MS = 4000;

const packageFile = new URL('../../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };

function fail(error: unknown, code: number): never {
  process.stderr.write(`motion-studio: ${messageOf(error)}\n`);
  process.exit(code);
}

const [command = '', ...commandArgs] = process.argv.slice(2);
if (Object.hasOwn(COMMANDS, command)) {
  const { runCommand } = await import('./commands/run-command.ts');
  process.exit(await runCommand(command, commandArgs, process.env));
}

if (isLocalCommand(command)) {
  const { runLocalCommand } = await import('./local/run-local-command.ts');
  process.exit(await runLocalCommand(command, commandArgs, process.env));
}

function optionsOrExit() {
  try {
    const options = readOptions(process.argv.slice(2), process.env, version);
    if (!('print' in options)) return options;
    process.stdout.write(options.print);
    process.exit(EXIT.done);
  } catch (error) {
    if (error instanceof UsageError) fail(error, EXIT.usage);
    throw error;
  }
}

const options = optionsOrExit();
try {
  checkRuntime();
} catch (error) {
  fail(error, EXIT.failed);
}
const pretty = process.stderr.isTTY === true;
const colour = pretty && process.env['NO_COLOR'] === undefined;
const logger = createLogger({ level: options.logLevel, pretty, colour });
// Loaded after the options are parsed: help, version and usage errors stay fast.
const { Service } = await import('./service.ts');
const service = new Service(options, version, logger);

async function exit(code: number): Promise<never> {
  await logger.close();
  process.exit(code);
}

/** Logs the reason and ends the process, because a bug leaves it in an unknown state. */
function die(error: unknown): void {
  logger.error({ err: error }, `the service ends: ${messageOf(error)}`);
  void exit(EXIT.failed);
}
process.on('uncaughtException', die);
process.on('unhandledRejection', die);
// The parent may close stdout after it has read the ready line.
process.stdout.on('error', () => {});

let stopping = false;
function stop(signal: NodeJS.Signals): void {
  if (stopping) process.exit(EXIT.done);
  stopping = true;
  logger.info(`Stopping on ${signal}, after ${spanText(process.uptime())}`);
  const end = () => {
    logger.info('Stopped');
    void exit(EXIT.done);
  };
  setTimeout(end, STOP_MS).unref();
  service.stop().then(end, (error: unknown) => {
    logger.error({ err: error }, 'the service did not stop cleanly');
    end();
  });
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);

try {
  const url = await service.start();
  if (url !== null) process.stdout.write(`motion-studio listening on ${url}\n`);
} catch (thrown) {
  if (stopping) await new Promise(() => {}); // A stop is in progress and ends the process.
  await service.stop();
  const error = startError(thrown instanceof LoadError ? thrown.cause : thrown);
  // The launcher in `bin/`, which loads this file, knows which errors mean a damaged installation.
  if (thrown instanceof LoadError && error === thrown.cause) throw error;
  if (!(error instanceof StudioError || error instanceof UsageError))
    logger.error({ err: error }, 'the service did not start');
  await logger.close();
  fail(error, error instanceof UsageError ? EXIT.usage : EXIT.failed);
}
