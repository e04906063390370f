import { readFileSync } from 'node:fs';
import process from 'node:process';
import { COMMANDS } from './commands/command-table.ts';
import { exitAfter, fail } from './exit.ts';
import { EXIT } from './exit-codes.ts';
import { isLocalCommand } from './local/local-summaries.ts';
import { readOptions } from './options.ts';
import { UsageError } from './parse-flags.ts';

const packageFile = new URL('../../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };

const [command = '', ...commandArgs] = process.argv.slice(2);
if (Object.hasOwn(COMMANDS, command)) {
  const { runCommand } = await import('./commands/run-command.ts');
  await exitAfter(() => runCommand(command, commandArgs, process.env));
}

if (isLocalCommand(command)) {
  const { runLocalCommand } = await import('./local/run-local-command.ts');
  await exitAfter(() => runLocalCommand(command, commandArgs, process.env));
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
// Loaded after the options are parsed: help, version and usage errors stay fast.
const { runService } = await import('./run-service.ts');
await runService(options, version);
