import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cloneTo, terminalEnv } from '../support/clone.ts';
import { fetchNode, NODE_PACKAGES, platformProblem, registryProblem } from '../support/node-versions.ts';
import { type ServiceProcess, spawnCommand } from '../support/service-process.ts';
import { goWholeWay } from '../support/whole-way.ts';

const problem = platformProblem() ?? registryProblem();
if (problem !== null) console.warn(`other versions of Node are not tried: ${problem}`);

/** Time that a service has to stop, ms. */
const STOP_MS = 30_000;

let folder: string;
let service: ServiceProcess | null;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'portability-'));
  service = null;
});
afterEach(async () => {
  if (service) await end(service);
  rmSync(folder, { recursive: true, force: true });
});

/** Ends npm and all processes below it, which are one process group. */
async function end({ child, exit }: ServiceProcess): Promise<void> {
  // npm passes this signal on, but a script that waits for `npm ci` does not end.
  child.kill('SIGTERM');
  const late = setTimeout(() => killGroup(child.pid!), STOP_MS);
  await exit;
  clearTimeout(late);
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // It has ended in the meantime.
  }
}

describe.skipIf(problem !== null)('with another version of Node', () => {
  test.each(NODE_PACKAGES)(
    'a fresh clone on Node $version installs, builds, starts and works from end to end',
    async (wanted) => {
      const node = fetchNode(wanted);
      const clone = path.join(folder, 'clone');
      cloneTo(clone);
      const args = ['--workspace', path.join(folder, 'workspace'), '--log-level', 'info'];
      const env = terminalEnv(node, { prefer_offline: 'true' });
      const began = performance.now();
      service = spawnCommand(['setsid', 'npm', 'start', '--silent', '--'], args, env, clone);
      const address = await service.ready;
      const started = performance.now();
      expect(service.stderr()).toContain(`on Node ${wanted.version} `);
      await goWholeWay(address);
      const worked = performance.now();
      service.child.kill('SIGTERM');
      expect(await service.exit).toEqual({ code: 0, signal: null });
      // Deprecated calls in the service or in a package appear here first.
      expect(service.stderr()).not.toMatch(/Warning: |"level":"error"|\n {4}at /);
      const transport = /transport \w+[^"]*/.exec(service.stderr())?.[0];
      const seconds = (from: number, to: number) => ((to - from) / 1e3).toFixed(1);
      console.log(
        `Node ${wanted.version}: installed, built and started in ${seconds(began, started)} s, ` +
          `the whole way in ${seconds(started, worked)} s; ${transport}`,
      );
    },
  );
});
