import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  changeMarks,
  formatDatasetFile,
  readDatasetConfig,
  renameInDatasetFile,
} from '../../../src/data/dataset-file.ts';
import { type ClipMarks, marksOf, NO_MARKS, setMarks } from '../../../src/data/marks/clip-marks.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'marks-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const file = () => path.join(folder, 'dataset.yaml');
const text = () => readFileSync(file(), 'utf8');
const raw = (name: string) => ({ name, raw: {} });
const image = (name: string) => ({ name, raw: null });
const mark = (name: string, change: Parameters<typeof setMarks>[2]) =>
  changeMarks(folder, async (marks) => setMarks(marks, raw(name), change));

describe('dataset.yaml', () => {
  test('dataset.yaml keeps its text and comments when clips are marked', async () => {
    const own = '# recorded in May\nversion: 1\nconvert:\n  input_fps: 120 # mocap\n';
    writeFileSync(file(), own);
    await mark('walk', { exclude: true, tags: ['gait'] });
    expect(text()).toBe(`${own}clips:\n  "walk": {"exclude": true, "tags": ["gait"]}\n`);
    await mark('run 2', { weight: 0.5 });
    await mark('walk', { exclude: false });
    expect(text()).toBe(`${own}clips:\n  "walk": {"tags": ["gait"]}\n  "run 2": {"weight": 0.5}\n`);
    await mark('walk', { tags: [] });
    await mark('run 2', { weight: 1 });
    expect(text()).toBe(own);
  });

  test('a renamed clip has its own marks and repairs, not those of a deleted clip of its new name', async () => {
    const before = 'version: 1\nconvert:\n  fixes:\n    walk: [debias_z]\n    run: [degrees]\n    sit: [y_up]\n';
    writeFileSync(file(), before);
    await mark('walk', { weight: 2 });
    await mark('run', { exclude: true });
    // After a kill, the rename is repeated.
    for (const _ of ['rename', 'again']) {
      await renameInDatasetFile(folder, new Map([['walk', 'run']]));
      const { marks, convert } = await readDatasetConfig(folder);
      expect([...marks]).toEqual([['run', { ...NO_MARKS, weight: 2 }]]);
      expect(convert.fixes).toEqual({ run: ['debias_z'], sit: ['y_up'] });
    }
  });

  test('dataset.yaml is not created for empty marks', async () => {
    await mark('walk', { weight: 1 });
    expect(() => text()).toThrow('ENOENT');
  });

  test('dataset.yaml keeps settings below the marks, and an error there has the right line', async () => {
    writeFileSync(file(), 'version: 1\nclips:\n  "a": {"weight": 2}\n  "b": {"weight": 3}\nconvert: {mirror: true}\n');
    const config = await readDatasetConfig(folder);
    expect(config).toMatchObject({ convert: { mirror: true }, error: null });
    expect(config.marks.get('b')).toEqual({ ...NO_MARKS, weight: 3 });
    await mark('b', { weight: 1 });
    expect(text()).toBe('version: 1\nclips:\n  "a": {"weight": 2}\nconvert: {mirror: true}\n');
    writeFileSync(file(), 'version: 1\nclips:\n  "a": {"weight": 2}\nconvert:\n  mirror: maybe\n');
    expect((await readDatasetConfig(folder)).error).toBe('dataset.yaml:5: convert.mirror: must be true or false');
  });

  test('marks written by hand in any YAML style are read', async () => {
    writeFileSync(file(), 'version: 1\nclips:\n  walk:\n    exclude: true\n    tags: [a, b]\n  run: {weight: 2}\n');
    const { marks } = await readDatasetConfig(folder);
    expect([...marks]).toEqual([
      ['walk', { ...NO_MARKS, exclude: true, tags: ['a', 'b'] }],
      ['run', { ...NO_MARKS, weight: 2 }],
    ]);
    await mark('run', { ignore: [{ kind: 'jump', body: 'left_foot' }] });
    expect((await readDatasetConfig(folder)).marks.get('run')).toEqual({
      ...NO_MARKS,
      weight: 2,
      ignore: [{ kind: 'jump', body: 'left_foot' }],
    });
  });

  test('marks can be added to a dataset.yaml in braces', async () => {
    writeFileSync(file(), '{version: 1, convert: {output_fps: 30}}\n');
    await mark('walk', { weight: 2 });
    const { convert, marks, error } = await readDatasetConfig(folder);
    expect({ convert, error, walk: marks.get('walk')?.weight }).toEqual({
      convert: { output_fps: 30 },
      error: null,
      walk: 2,
    });
  });

  test.each([
    ['a negative weight', '  walk: {weight: -1}\n', 'clips.walk.weight: must be a number from 0 to 1000000'],
    ['an infinite weight', '  walk: {weight: .inf}\n', 'clips.walk.weight: must be a finite number'],
    ['an unknown field', '  walk: {weigth: 1}\n', 'clips.walk.weigth: is not a known field; did you mean "weight"?'],
    ['a clip named twice', '  "a": {"weight": 2}\n  "a": {"weight": 3}\n', 'Map keys must be unique'],
  ])('a dataset.yaml with %s is refused with the line', async (_, clips, message) => {
    writeFileSync(file(), `version: 1\nclips:\n${clips}`);
    expect((await readDatasetConfig(folder)).error).toMatch(/^dataset.yaml:[234]: /);
    expect((await readDatasetConfig(folder)).error).toContain(message);
    await expect(mark('b', { weight: 2 })).rejects.toThrow(message);
  });

  test('concurrent changes of dataset.yaml are applied one after another', async () => {
    const names = Array.from({ length: 20 }, (_, k) => `clip${k}`);
    await Promise.all(names.map((name) => mark(name, { exclude: true })));
    expect([...(await readDatasetConfig(folder)).marks.keys()]).toEqual(names);
  });

  test('dataset.yaml can contain the marks of a hundred thousand clips', async () => {
    const count = 100_000;
    await changeMarks(folder, async (marks) => {
      for (let k = 0; k < count; k++) setMarks(marks, raw(`walk_${k}__A${k}_M`), { exclude: true, weight: 2 });
    });
    const { marks, error } = await readDatasetConfig(folder);
    expect(error).toBe(null);
    expect(marks.size).toBe(count);
    expect(text().length).toBeGreaterThan(1 << 20); // larger than the limit of the YAML parser
  });

  test('dataset.yaml of a new dataset is created with its marks', async () => {
    const marks = new Map<string, ClipMarks>([['a.b', { ...NO_MARKS, weight: 3 }]]);
    writeFileSync(file(), await formatDatasetFile({ convert: { mirror: true } }, marks));
    expect(await readDatasetConfig(folder)).toMatchObject({ convert: { mirror: true }, marks, error: null });
  });
});

describe('a change of single entries', () => {
  const jump = (body?: string) => ({ kind: 'jump' as const, ...(body === undefined ? {} : { body }) });
  const slide = { kind: 'foot_sliding' as const };
  const changed = (before: Partial<ClipMarks>, change: Parameters<typeof setMarks>[2]) => {
    const table = new Map([['walk', { ...NO_MARKS, ...before }]]);
    setMarks(table, raw('walk'), change);
    return marksOf(table, raw('walk'));
  };

  test('a change of single marks keeps the other entries', () => {
    const before = { tags: ['gait'], ignore: [jump('left_foot'), slide] };
    expect(changed(before, { add: { tags: ['retake'], ignore: [jump('right_foot')] } })).toMatchObject({
      tags: ['gait', 'retake'],
      ignore: [jump('left_foot'), slide, jump('right_foot')],
    });
    expect(changed(before, { remove: { tags: ['other'], ignore: [jump('left_foot')] } })).toMatchObject({
      tags: ['gait'],
      ignore: [slide],
    });
  });

  test('adding an existing mark adds nothing', () => {
    expect(changed({ tags: ['gait'], ignore: [jump()] }, { add: { tags: ['gait'], ignore: [jump('head')] } })).toEqual({
      ...NO_MARKS,
      tags: ['gait'],
      ignore: [jump()],
    });
  });

  test('removing a mark of one body also removes the mark for all bodies, because otherwise that body would stay ignored', () => {
    expect(changed({ ignore: [jump(), slide] }, { remove: { ignore: [jump('head')] } }).ignore).toEqual([slide]);
  });

  test('a change of marks beyond the limits is refused', () => {
    const tags = Array.from({ length: 32 }, (_, k) => `tag${k}`);
    expect(() => changed({ tags }, { add: { tags: ['one more'] } })).toThrow('33 tags, the limit is 32');
    expect(changed({ tags }, { remove: { tags: ['tag0'] }, add: { tags: ['one more'] } }).tags).toHaveLength(32);
    const ignore = Array.from({ length: 64 }, (_, k) => jump(`body${k}`));
    expect(() => changed({ ignore }, { add: { ignore: [slide] } })).toThrow('ignore 65 issues, the limit is 64');
  });
});

describe('a mirror image without a source', () => {
  const table = () => new Map<string, ClipMarks>([['walk', { ...NO_MARKS, exclude: true, weight: 2 }]]);

  test('a mirror image without a source has the marks of its original', () => {
    expect(marksOf(table(), image('walk_M'))).toMatchObject({ exclude: true, weight: 2 });
    expect(marksOf(table(), raw('walk_M'))).toBe(NO_MARKS);
  });

  test('a mirror image with marks of its own keeps them, even if they are empty', () => {
    const marks = table();
    setMarks(marks, image('walk_M'), { exclude: false, weight: 1 });
    expect(marksOf(marks, image('walk_M'))).toEqual(NO_MARKS);
    setMarks(marks, raw('walk'), { exclude: false, weight: 1 });
    expect([...marks.keys()]).toEqual(['walk_M']);
  });
});
