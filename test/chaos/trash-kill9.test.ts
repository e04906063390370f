import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { TrashItem } from '../../src/protocol/schemas/trash.ts';
import { randomFrom } from '../support/random.ts';
import { call } from '../support/service-process.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio({ each: true });

const SEED = 20_261_123;
const KILLS = 3;
/** Each clip, dataset and run has this many. */
const EACH = 4;
/** Maximum time between the last answer that is waited for and the kill. */
const IN_FLIGHT_MS = 12;

const DATA = 'data/humanoid';
/** The files of a thing, relative to its place. A thing is whole if all of them are in the same place. */
const PARTS = { clip: ['.csv', 'npz/.npz'], dataset: ['one.csv', 'npz/one.npz'], run: ['params/task.yaml'] } as const;
type Kind = keyof typeof PARTS;
const KINDS = Object.keys(PARTS) as Kind[];

const contentOf = (kind: Kind, k: number, part: string) =>
  kind === 'run' ? `robot: humanoid\ntask: ${k}\n` : `${kind} ${k} ${part}\n`;

/** Names that a thing may have: renames go back and forth between them. Runs keep their name. */
const namesOf = (kind: Kind, k: number) => (kind === 'run' ? [`run_${k}`] : [`${kind}_${k}`, `${kind}_${k}_moved`]);

function fileOf(kind: Kind, name: string, part: string): string {
  if (kind === 'clip') return path.join(studio.workspace, DATA, 'all', part.replace('.', `${name}.`));
  return path.join(studio.workspace, kind === 'run' ? 'logs/rsl_rl/exp' : DATA, name, part);
}

function fill(): void {
  for (const kind of KINDS)
    for (let k = 0; k < EACH; k++)
      for (const part of PARTS[kind]) {
        const file = fileOf(kind, namesOf(kind, k)[0]!, part);
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, contentOf(kind, k, part));
      }
  const tags = Array.from({ length: EACH }, (_, k) => `  clip_${k}: {tags: [${tagOf(k)}]}\n`);
  writeFileSync(path.join(studio.workspace, DATA, 'all/dataset.yaml'), `version: 1\nclips:\n${tags.join('')}`);
}

/** A mark that follows its clip wherever it goes. */
const tagOf = (k: number) => `tag-${k}`;

/** Returns where each part of a thing is: under a name, or in an item of the trash. Missing parts are left out. */
function placesOf(kind: Kind, k: number): string[][] {
  const trash = path.join(studio.workspace, '.trash');
  const files = readdirSync(trash, { recursive: true, encoding: 'utf8' }).filter((file) => !file.endsWith('item.json'));
  const has = (file: string, content: string) => {
    try {
      return readFileSync(file, 'utf8') === content;
    } catch {
      return false; // a folder, or missing
    }
  };
  return PARTS[kind].map((part) => {
    const content = contentOf(kind, k, part);
    return [
      ...namesOf(kind, k).filter((name) => has(fileOf(kind, name, part), content)),
      ...files.filter((file) => has(path.join(trash, file), content)).map((file) => file.split(path.sep)[0]!),
    ];
  });
}

/** Sends one request. @returns whether it was accepted; a refusal is fine: the thing may be in the trash */
async function send(method: string, where: string, body?: object): Promise<boolean> {
  const response = await fetch(studio.address + where, {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  });
  await response.arrayBuffer();
  return response.ok;
}

/** Deletes, renames and restores until the service is gone. @param done called after each answer, with the kind that it
 *  deleted */
async function work(random: () => number, done: (deleted?: Kind) => void): Promise<void> {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
  for (;;) {
    const kind = pick(KINDS);
    const names = namesOf(kind, Math.floor(random() * EACH));
    const name = pick(names);
    const action = pick(['delete', 'rename', 'restore']);
    let deleted = false;
    if (action === 'restore') {
      const { items } = await call<{ items: TrashItem[] }>(studio.address, '/api/trash');
      for (const { undo } of items) await send('POST', '/api/undo', { undo });
    } else if (action === 'delete' && kind === 'run') deleted = await send('DELETE', `/api/runs?run=exp/${name}`);
    else if (action === 'delete')
      deleted = await send('DELETE', `/api/data/datasets/${kind === 'clip' ? `all/clips/${name}` : name}`);
    else if (kind !== 'run') {
      const to = names.find((other) => other !== name)!;
      const subject = kind === 'clip' ? { dataset: 'all', clip: name } : { dataset: name };
      await send('POST', '/api/data/rename', { ...subject, name: to });
    }
    done(deleted ? kind : undefined);
  }
}

test('kill -9 during deletes, renames and restores leaves each object complete, with its marks, in one place', {
  timeout: 200_000,
}, async () => {
  const random = randomFrom(SEED);
  fill();
  let answers = 0;
  const deletedKinds = new Set<Kind>();
  for (let life = 0; life <= KILLS; life++) {
    await studio.start();
    mkdirSync(path.join(studio.workspace, '.trash'), { recursive: true });
    const { items } = await call<{ items: TrashItem[] }>(studio.address, '/api/trash');
    const { runs } = await call<{ runs: { run: string }[] }>(studio.address, '/api/runs');
    const { datasets } = await call<{ datasets: { name: string }[] }>(studio.address, '/api/data/datasets');
    const { clips } = await call<{ clips: { name: string; tags: string[] }[] }>(
      studio.address,
      '/api/data/clips?dataset=all',
    );
    const listed = new Set([
      ...runs.map(({ run }) => run),
      ...[...datasets, ...clips].map(({ name }) => name),
      ...items.map(({ undo }) => undo),
    ]);
    for (const kind of KINDS)
      for (let k = 0; k < EACH; k++) {
        const [place, ...others] = placesOf(kind, k);
        const what = `${kind} ${k} in life ${life}`;
        expect(place, what).toHaveLength(1);
        for (const other of others) expect(other, what).toEqual(place);
        expect(listed, what).toContain(place![0]);
        const clip = kind === 'clip' && clips.find(({ name }) => name === place![0]);
        if (clip) expect(clip.tags, what).toEqual([tagOf(k)]);
      }
    expect(readdirSync(path.join(studio.workspace, '.trash')).sort()).toEqual(
      expect.arrayContaining(items.map(({ undo }) => undo).sort()),
    );
    if (life === KILLS) break;
    const enough = 12 + Math.floor(random() * 16);
    let left = enough;
    let many = () => {};
    const busy = new Promise<void>((resolve) => (many = resolve));
    const working = Promise.allSettled(
      Array.from({ length: 3 }, () =>
        work(random, (deleted) => {
          answers += 1;
          left -= 1;
          if (deleted) deletedKinds.add(deleted);
          if (left <= 0 && deletedKinds.size === KINDS.length) many();
        }),
      ),
    );
    await busy;
    await sleep(random() * IN_FLIGHT_MS);
    await studio.stop('SIGKILL');
    await working;
  }
  expect(existsSync(path.join(studio.workspace, '.trash'))).toBe(true);
  expect(answers).toBeGreaterThanOrEqual(12 * KILLS);
});
