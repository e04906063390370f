import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const EXIT = pathToFileURL('src/cli/exit.ts').href;
/** More than a pipe holds. */
const BYTES = 1_000_000;

/** Starts a program that ends through `exitAfter` after `body`. */
function start(body: string) {
  const code = `import { exitAfter } from ${JSON.stringify(EXIT)}; await exitAfter(async () => { ${body} });`;
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code]);
}

test('all output reaches a pipe that is read slowly', async () => {
  const child = start(`process.stdout.write('x'.repeat(${BYTES})); process.stderr.write('end'); return 3;`);
  const ended = once(child, 'exit');
  expect(String((await once(child.stderr, 'data'))[0])).toBe('end');
  await sleep(300);
  expect(child.exitCode).toBeNull();
  expect(await text(child.stdout)).toHaveLength(BYTES);
  expect(await ended).toEqual([3, null]);
});

test('a pipe that its reader closes early does not stop the command', async () => {
  const child = start(`process.stdout.write('x'.repeat(${BYTES})); return 0;`);
  const errors = text(child.stderr);
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  child.stdout.destroy();
  expect(await ended).toEqual([0, null]);
  expect(await errors).toBe('');
});
