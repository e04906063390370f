import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { LocalLauncher } from '../../../src/jobs/detached/local-launcher.ts';
import { JobRegistry } from '../../../src/jobs/job-registry.ts';

test('a service that ends during a launch first starts the process, so that the job is not lost', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'motion-studio-ending-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  let started = false;
  class SlowLauncher extends LocalLauncher {
    override async start() {
      await sleep(100);
      started = true;
    }
  }
  const registry = JobRegistry.open({
    folder,
    launchers: new Map([['local', new SlowLauncher(1, {}, 2)]]),
    interrupted: () => 'the service ended',
    onError: (message, error) => expect.fail(`${message}: ${error}`),
  });
  await registry.launch({ kind: 'train', params: {}, launcher: 'local' }, { command: ['true'], cwd: folder, env: {} });
  await registry.close();
  expect(started).toBe(true);
});
