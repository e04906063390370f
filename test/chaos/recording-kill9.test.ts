import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { finish, Listener, request } from '../support/client.ts';
import { cannotMount } from '../support/full-disk.ts';
import { until } from '../support/play-client.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio({ each: true });

let mounted: string | null = null;

afterEach(async () => {
  await studio.stop('SIGKILL');
  if (mounted !== null) spawnSync('umount', [mounted]);
  mounted = null;
});

const folder = () => path.join(studio.workspace, 'recordings');
const list = async () => (await request(studio.address, 'GET /api/recordings')).body.recordings;

/** Starts a recording of the scene and waits until frames are on the disk. */
async function record(name: string, format: 'mcap' | 'npz'): Promise<void> {
  const { status, body } = await request(studio.address, 'POST /api/record/start', { name, format });
  expect([status, body.detail]).toEqual([200, undefined]);
  const file = path.join(folder(), format === 'mcap' ? `${name}.mcap` : `.${name}.npz.part`);
  const before = statSync(file).size;
  await until(
    async () => statSync(file).size,
    (bytes) => bytes > before,
  );
}

test.each(['mcap', 'npz'] as const)(
  'a killed recording as %s is listed as cut, opens up to its last complete chunk, and leaves no other file',
  async (format) => {
    await studio.start();
    await record('killed', format);
    await studio.stop('SIGKILL');

    await studio.start();
    const found = await until(list, ([first]) => first?.state === 'cut');
    expect(found).toMatchObject([
      { name: 'killed', format, state: 'cut', error: null, reason: expect.stringMatching(/service/) },
    ]);
    expect(found[0]!.duration).toBeGreaterThan(0);
    expect(readdirSync(folder())).toEqual([`killed.${format}`]);
    expect(await finish(studio.address, 'POST /api/record/open', { name: 'killed' })).toMatchObject({ state: 'done' });
    const listener = await Listener.open(studio.address);
    await listener.nextFrame(({ header }) => header.owner === 'data');
    listener.close();
  },
  120_000,
);

test.skipIf(cannotMount)(
  'a full disk ends the recording with one sentence; the recorded part opens, and the service keeps running',
  async () => {
    mkdirSync(folder(), { recursive: true });
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'none', folder()]).status).toBe(0);
    mounted = folder();
    await studio.start();
    await record('full', 'mcap');
    spawnSync('dd', ['if=/dev/zero', `of=${path.join(folder(), '.other')}`, 'bs=1M', 'count=200']);
    const [recording] = await until(list, ([first]) => first?.state === 'cut');
    expect(recording).toMatchObject({ name: 'full', error: null, reason: expect.stringMatching(/disk/) });
    expect(recording!.duration).toBeGreaterThan(0);
    expect(readdirSync(folder()).sort()).toEqual(['.other', 'full.mcap']);
    const { status, body } = await request(studio.address, 'POST /api/record/start', { name: 'next' });
    expect([status, body.detail]).toEqual([507, expect.stringMatching(/are free on the disk/)]);
    expect(await finish(studio.address, 'POST /api/record/open', { name: 'full' })).toMatchObject({ state: 'done' });
    expect(studio.service.stderr().match(/Recording full ended early/g)).toHaveLength(1);
  },
  120_000,
);
