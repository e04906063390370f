import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StudioError } from '../../../src/core/errors.ts';
import { clipPlace, type DatasetPlace } from '../../../src/data/library/dataset-place.ts';
import { importCopy, importLink } from '../../../src/data/library/import-dataset.ts';
import { surveySource } from '../../../src/data/library/import-source.ts';
import { receiveClip } from '../../../src/data/library/receive-clip.ts';
import { entriesOfClip, entriesOfDataset } from '../../../src/data/library/remove.ts';

let root: string;
let source: string;
let data: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'import-')));
  source = path.join(root, 'takes');
  data = path.join(root, 'data');
  mkdirSync(source);
  mkdirSync(data);
  for (let k = 0; k < 30; k++) writeFileSync(path.join(source, `clip${k}.csv`), `${k}\n`);
});
afterEach(() => rmSync(root, { recursive: true }));

const noBundles = {
  isSource: async () => false,
  isBundle: async () => false,
  split: async () => ({ clips: [], ending: '.npz' as const, leftOut: [] }),
};
const target = () => path.join(data, 'takes');
const copy = async (progress: Partial<Parameters<typeof importCopy>[3]> = {}) =>
  importCopy(await surveySource(source, data), target(), noBundles, {
    signal: new AbortController().signal,
    report: () => {},
    ...progress,
  });

describe('a copy', () => {
  test('a copy that is stopped, or whose source disappears, leaves nothing', async () => {
    const abort = new AbortController();
    await expect(copy({ signal: abort.signal, report: () => abort.abort() })).rejects.toThrow('aborted');
    expect(readdirSync(data)).toEqual([]);
    const vanish = () => rmSync(path.join(source, 'clip29.csv'), { force: true });
    await expect(copy({ report: vanish })).rejects.toThrow(/clip29.csv does not exist/);
    expect(readdirSync(data)).toEqual([]);
  });

  test('a copy never replaces a dataset that was created meanwhile, even an empty one', async () => {
    const early = () => mkdirSync(target(), { recursive: true });
    await expect(copy({ report: early })).rejects.toThrow('name: a dataset "takes" already exists');
    expect(readdirSync(data)).toEqual(['takes']);
    expect(readdirSync(target())).toEqual([]);
  });

  test('a copy reports its progress by bytes, up to 100 %', async () => {
    const told: number[] = [];
    await copy({ report: (_, fraction) => told.push(fraction) });
    expect([told.length, told.at(-1)]).toEqual([30, 1]);
    expect([...told].sort((a, b) => a - b)).toEqual(told);
  });

  test('a copy is refused if all links lead out of the source', async () => {
    const links = path.join(root, 'links');
    mkdirSync(links);
    symlinkSync(path.join(source, 'clip1.csv'), path.join(links, 'a.csv'));
    const found = await surveySource(links, data);
    const progress = { signal: new AbortController().signal, report: () => {} };
    await expect(importCopy(found, target(), noBundles, progress)).rejects.toThrow('all clips of');
    expect(readdirSync(data)).toEqual([]);
  });
});

describe('a source', () => {
  test('a source that is or leads to a folder of the workspace is refused', async () => {
    mkdirSync(path.join(data, 'own'));
    writeFileSync(path.join(data, 'own/a.csv'), '');
    symlinkSync(path.join(data, 'own'), path.join(root, 'way-in'));
    for (const folder of [path.join(data, 'own'), path.join(root, 'way-in')])
      await expect(surveySource(folder, data)).rejects.toThrow('is inside the datasets of this workspace');
  });

  test('a source with only converted clips cannot be linked', async () => {
    const npz = path.join(root, 'made');
    mkdirSync(path.join(npz, 'npz'), { recursive: true });
    writeFileSync(path.join(npz, 'npz/a.npz'), '');
    await expect(importLink(await surveySource(npz, data), target(), noBundles)).rejects.toThrow(
      'contains only converted clips',
    );
    expect(readdirSync(data)).toEqual([]);
  });
});

const place = (folder: string, linked: string | null): DatasetPlace => ({
  name: path.basename(folder),
  folder,
  linked,
  raw: linked ?? folder,
  npz: path.join(folder, 'npz'),
});

describe('removing', () => {
  test("deleting a linked dataset with foreign files deletes only the service's files", async () => {
    await importLink(await surveySource(source, data), target(), noBundles);
    mkdirSync(path.join(target(), 'npz'));
    writeFileSync(path.join(target(), 'npz/a.npz'), '');
    writeFileSync(path.join(target(), 'notes.md'), 'mine');
    const entries = await entriesOfDataset(place(target(), source));
    expect(entries).toEqual(['npz', 'dataset.yaml'].map((entry) => path.join(target(), entry)));
    rmSync(path.join(target(), 'notes.md'));
    expect(await entriesOfDataset(place(target(), source))).toEqual([target()]);
  });

  test('deleting a converted clip deletes its kept original, too', async () => {
    mkdirSync(path.join(target(), 'npz/original'), { recursive: true });
    for (const file of ['npz/a.npz', 'npz/original/a.npz', 'npz/original/b.npz'])
      writeFileSync(path.join(target(), file), '');
    const entries = await entriesOfClip(place(target(), null), 'a', [path.join(target(), 'npz/a.npz')]);
    expect(entries).toEqual(['npz/a.npz', 'npz/original/a.npz'].map((file) => path.join(target(), file)));
  });
});

/** Mounts a disk of 1 MiB. @returns whether the mount succeeded */
function mountSmall(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('an upload into a dataset that is deleted', () => {
  const upload = (file: string, before: () => void) => {
    const dataset = place(target(), null);
    return receiveClip({
      dataset,
      place: clipPlace(dataset, file),
      chunks: (async function* () {
        yield new TextEncoder().encode('1\n');
      })(),
      check: async () => 'clip',
      isSource: noBundles.isSource,
      split: noBundles.split,
      replace: (_files, put) => put(),
      inTurn: (work) => {
        before();
        return work();
      },
      signal: new AbortController().signal,
    });
  };

  test.each(['walk.csv', 'walk.npz'])(
    'an upload into a dataset that is deleted before its last step fails and does not create the dataset again: %s',
    async (file) => {
      mkdirSync(target());
      const removed = upload(file, () => rmSync(target(), { recursive: true }));
      await expect(removed).rejects.toThrow('dataset: "takes" was removed in the meantime');
      expect(readdirSync(data)).toEqual([]);
    },
  );

  test('an upload into a dataset that is deleted and created again before its last step fails and leaves it empty', async () => {
    mkdirSync(target());
    const replaced = upload('walk.csv', () => {
      rmSync(target(), { recursive: true });
      mkdirSync(target());
    });
    await expect(replaced).rejects.toThrow('dataset: "takes" was removed in the meantime');
    expect(readdirSync(target())).toEqual([]);
  });

  test('an upload uses the folder npz that a conversion has just created', async () => {
    mkdirSync(target());
    await upload('walk.npz', () => mkdirSync(path.join(target(), 'npz')));
    expect(readdirSync(path.join(target(), 'npz'))).toEqual(['walk.npz']);
  });
});

test('an upload that fills the disk is 507 and changes nothing', async (context) => {
  mkdirSync(target());
  if (!mountSmall(target())) return context.skip();
  try {
    const dataset = place(target(), null);
    const receive = (bytes: number) =>
      receiveClip({
        dataset,
        place: clipPlace(dataset, 'walk.csv'),
        chunks: (async function* () {
          for (let sent = 0; sent < bytes; sent += 65_536) yield new Uint8Array(65_536).fill(49);
        })(),
        check: async () => 'clip',
        isSource: noBundles.isSource,
        split: noBundles.split,
        replace: (_files, put) => put(),
        inTurn: (work) => work(),
        signal: new AbortController().signal,
      });
    await receive(65_536);
    const error = await receive(4 << 20).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(StudioError);
    expect((error as StudioError).code).toBe('disk_full');
    expect(readdirSync(target())).toEqual(['walk.csv']);
    expect(readFileSync(path.join(target(), 'walk.csv'))).toHaveLength(65_536);
    // A copy that does not fit is refused before copying begins.
    for (let k = 0; k < 3; k++) writeFileSync(path.join(source, `large${k}.csv`), Buffer.alloc(1 << 20));
    const found = await surveySource(source, data);
    const progress = { signal: new AbortController().signal, report: () => {} };
    await expect(importCopy(found, path.join(target(), 'copy'), noBundles, progress)).rejects.toThrow(
      /the clips need \d+ MiB, but the disk of the workspace has only 1 MiB left/,
    );
  } finally {
    execFileSync('umount', [target()]);
  }
});
