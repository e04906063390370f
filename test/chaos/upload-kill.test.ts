import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { isTemp } from '../../src/core/files/atomic-file.ts';
import { formatYaml } from '../../src/core/yaml-file.ts';
import { WALKER_MJCF, walkerSpec } from '../support/models.ts';
import { randomFrom } from '../support/random.ts';
import { call } from '../support/service-process.ts';
import { useStudio } from '../support/use-studio.ts';
import { walkerClip } from '../support/workspace.ts';

const studio = useStudio({ each: true });

const KILLS = 12;
const SEED = 20_260_103;
/** Maximum time between the first upload and the kill, ms. Every second time, it counts from the response to that
 *  upload: the threads that check uploads have started by then. */
const WORK_MS = 250;
/** Number of parallel uploads; there are few names, so that uploads also replace files. */
const CLIENTS = 4;
const NAMES = 12;
/** Possible numbers of rows of a complete clip. */
const ROWS = [300, 1200, 4000] as const;

beforeEach(() => {
  mkdirSync(path.join(studio.workspace, 'robots/walker'), { recursive: true });
  mkdirSync(path.join(studio.workspace, 'data/walker/steps'), { recursive: true });
  mkdirSync(path.join(studio.workspace, '.studio'));
  writeFileSync(path.join(studio.workspace, 'robots/walker/walker.xml'), WALKER_MJCF);
  writeFileSync(path.join(studio.workspace, 'robots/walker/robot.yaml'), formatYaml(walkerSpec()));
  writeFileSync(path.join(studio.workspace, '.studio/state.json'), JSON.stringify({ robot: 'walker' }));
});

const folder = () => path.join(studio.workspace, 'data/walker/steps');
const contents = ROWS.map(walkerClip);

interface Clips {
  clips: { name: string; frames: number | null; error: string | null }[];
}

/** Uploads until the service is gone. @param onAnswer called with the name of each successful upload */
async function upload(address: string, random: () => number, onAnswer: (name: string) => void): Promise<void> {
  for (;;) {
    const name = `clip${Math.floor(random() * NAMES)}`;
    const body = contents[Math.floor(random() * contents.length)]!;
    const response = await fetch(`${address}/api/data/upload/steps/${name}.csv`, { method: 'PUT', body });
    expect(response.status).toBe(200);
    onAnswer(name);
  }
}

test(`after ${KILLS} kills during uploads every listed clip is complete and no answered upload is missing`, {
  timeout: 400_000,
}, async () => {
  const random = randomFrom(SEED);
  const answered = new Set<string>();
  for (let kill = 0; kill < KILLS; kill++) {
    const address = await studio.start();
    let first = () => {};
    const begun = kill % 2 === 0 ? Promise.resolve() : new Promise<void>((resolve) => (first = resolve));
    const using = Array.from({ length: CLIENTS }, () =>
      upload(address, random, (name) => {
        answered.add(name);
        first();
      }).catch((error: unknown) => error),
    );
    await begun;
    await sleep(random() * WORK_MS);
    await studio.stop('SIGKILL');
    for (const end of await Promise.all(using))
      expect(String(end)).toMatch(/fetch failed|terminated|other side closed/);
    for (const file of readdirSync(folder()))
      if (!isTemp(file)) expect(contents).toContain(readFileSync(path.join(folder(), file), 'utf8'));
  }
  expect(answered.size).toBeGreaterThan(0);
  const address = await studio.start();
  const { clips } = await call<Clips>(address, '/api/data/clips?dataset=steps');
  for (const name of answered) expect(clips.map((clip) => clip.name)).toContain(name);
  for (const clip of clips) {
    expect(clip.error).toBeNull();
    expect(ROWS).toContain(clip.frames);
  }
  await expect.poll(() => readdirSync(folder()).filter(isTemp), { timeout: 30_000 }).toEqual([]);
});
