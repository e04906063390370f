import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isTemp } from '../../src/core/files/atomic-file.ts';
import { WALKER_MJCF, walkerSpec } from '../support/models.ts';
import { randomFrom } from '../support/random.ts';
import { call } from '../support/service-process.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio({ each: true });

const KILLS = 12;
/** Maximum time between the start of the uploads and the kill. */
const WORK_MS = 1200;
const SEED = 20_260_204;
const FILES = 24;

/** Up to 1.5 MB of content, determined by the name. */
function contentOf(name: string): Buffer {
  const seed = createHash('sha256').update(name).digest();
  return Buffer.alloc(64 + (seed.readUInt16LE(0) % 1500) * 1000, seed);
}

/** Uploads the walker and meshes, and saves the walker repeatedly, until the service is gone. */
async function work(address: string, life: number): Promise<void> {
  const put = (id: string, file: string, body: Buffer | string) =>
    fetch(`${address}/api/robots/import/upload/${id}/${file}`, { method: 'PUT', body: body as never });
  const uploading = (async () => {
    for (let k = 0; ; k++) {
      const name = `meshes/${life}-${k % FILES}.stl`;
      await put('large', name, contentOf(name));
    }
  })();
  const saving = (async () => {
    for (let k = 0; ; k++) {
      await put('walker', 'walker.xml', WALKER_MJCF);
      await call(address, '/api/robots/import/save', { spec: walkerSpec({ name: `Walker ${life}.${k}` }) });
    }
  })();
  await Promise.allSettled([uploading, saving]);
}

interface Listed {
  readonly robots: readonly { readonly id: string; readonly name: string; readonly error: string | null }[];
}

test('kill -9 during uploads and saves leaves complete files and complete robots', {
  timeout: 400_000,
}, async () => {
  const random = randomFrom(SEED);
  let saved = false;
  let files = 0;
  for (let life = 0; life < KILLS; life++) {
    const address = await studio.start();
    const robots = path.join(studio.workspace, 'robots');
    await expect
      .poll(
        () => readdirSync(robots, { recursive: true, encoding: 'utf8' }).filter((name) => isTemp(path.basename(name))),
        { timeout: 30_000 },
      )
      .toEqual([]);
    expect(readdirSync(robots).filter((name) => name.startsWith('.replaced'))).toEqual([]);
    const listed = await call<Listed>(address, '/api/robots');
    const walker = listed.robots.find(({ id }) => id === 'walker');
    // Once saved, the robot stays, in one of its versions.
    if (saved) expect(walker).toMatchObject({ error: null });
    saved ||= walker !== undefined;
    if (walker)
      expect(
        readdirSync(path.join(robots, 'walker'))
          .filter((name) => !name.startsWith('.'))
          .sort(),
      ).toEqual(['robot.yaml', 'walker.xml']);
    const large = path.join(robots, '.uploads/large/meshes');
    const meshes = existsSync(large) ? readdirSync(large) : [];
    for (const name of meshes)
      expect(readFileSync(path.join(large, name)).equals(contentOf(`meshes/${name}`)), name).toBe(true);
    files = Math.max(files, meshes.length);
    const working = work(address, life);
    // Every third time, wait until the robot is saved: on a slow machine each kill would come before a save.
    if (life % 3 === 2)
      await expect.poll(() => existsSync(path.join(robots, 'walker/robot.yaml')), { timeout: 30_000 }).toBe(true);
    await sleep(random() * WORK_MS);
    await studio.stop('SIGKILL');
    await working;
  }
  expect(saved).toBe(true);
  expect(files).toBeGreaterThan(5);
});
