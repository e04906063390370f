import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadClip } from '../../../src/data/clip/load-clip.ts';
import { clipFileType } from '../../../src/formats/clip-registry.ts';
import { gmrPickleFacts, parseGmrPickle } from '../../../src/formats/clips/gmr-pickle.ts';
import { parseClipCsv } from '../../../src/formats/csv.ts';
import { hasKit, KIT } from '../../support/kit.ts';
import { PYTHONS, runPython } from '../../support/python.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'gmr-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Lines of Python code that change the dict `c` before it is pickled. Python starts slowly, so one run pickles all
 *  variants. */
const changes: string[] = [];
function pickled(change: string): string {
  if (!changes.includes(change)) changes.push(change);
  return change;
}

const WHOLE = pickled('');
const NAMED = pickled("c['joint_names'] = ['robot/knee', 'robot/hip']");
const SPELLINGS = [
  ['Fortran order', 'c.update({k: np.asfortranarray(c[k]) for k in keys})'],
  ['big-endian', "c.update({k: c[k].astype('>f8') for k in keys})"],
  ['lists', 'c.update({k: c[k].tolist() for k in keys})'],
  ['tuples of numbers of numpy', 'c.update({k: tuple(map(tuple, c[k])) for k in keys})'],
  ['lists of arrays', 'c.update({k: list(c[k]) for k in keys})'],
  ['whole numbers', "c['root_pos'] = c['root_pos'].astype(int); c['dof_pos'] = c['dof_pos'].astype('u1')"],
  ['a frame rate of numpy', "c['fps'] = np.int64(120)"],
  ['a frame rate in an array', "c['fps'] = np.array([120.])"],
  ['an ordered dict', 'c = OrderedDict(c)'],
  ['keys that hold dates and records', "c['at'] = np.array(['2020-01-01'], 'M8[D]'); c['r'] = np.zeros(2, 'i4,f4')"],
] as const;
const NAMES = [
  ['dof_joint_names', "['hip', 'knee']"],
  ['joint_names', "['robot/hip', 'robot/knee']"],
  ['joint_order', "np.array(['floating_base_joint', 'hip', 'knee'])"],
  ['joint_names', "np.array(['freejoint', 'hip', 'knee'], dtype=object)"],
  ['joint_names', "('root_joint', 'hip', 'knee')"],
] as const;
const REFUSED = [
  [
    "del c['root_rot']",
    'not a clip: the key "root_rot" is missing; the dict has "fps", "root_pos", "dof_pos", "local_bod',
  ],
  ['c = [c]', 'the pickle contains a list, expected a dict of fps, root_pos, root_rot, dof_pos'],
  ["c['root_pos'] = np.zeros((2, 4))", '"root_pos" has the shape (2, 4), expected (frames, 3)'],
  ["c['root_rot'] = np.zeros((3, 4))", '"root_rot" has 3 frames, but "root_pos" has 2'],
  ["c['dof_pos'] = np.zeros((1, 2))", '"dof_pos" has 1 frames, but "root_pos" has 2'],
  ["c['dof_pos'] = np.zeros(4)", '"dof_pos" has the shape (4), expected (frames, joints)'],
  ["c['dof_pos'] = np.zeros((2, 0))", '"dof_pos" has no joints'],
  [
    'c.update(root_pos=np.zeros((0, 3)), root_rot=np.zeros((0, 4)), dof_pos=np.zeros((0, 2)))',
    'the clip has no frames',
  ],
  ["c['dof_pos'] = None", '"dof_pos" is None, expected an array'],
  ["c['fps'] = 0", '"fps" must be a single number from'],
  ["c['fps'] = 1e-310", '"fps" must be a single number from'],
  ["c['fps'] = float('nan')", '"fps" must be a single number from'],
  ["c['fps'] = 'fast'", '"fps" must be a single number from'],
  ["c['joint_names'] = ['hip']", '"joint_names" has 1 names, but "dof_pos" has 2'],
  ["c['joint_names'] = [1, 2]", '"joint_names" is not a list of names'],
] as const;
const BAD_NUMBERS = [
  ["c['dof_pos'] = np.array([['a', 'b'], ['c', 'd']])", '"dof_pos" contains texts instead of numbers'],
  ["c['dof_pos'] = np.zeros((2, 2), dtype=object)", '"dof_pos" contains Python objects instead of numbers'],
  ["c['dof_pos'] = np.zeros((2, 2), dtype='c16')", 'arrays of type "c16" are not supported'],
  ["c['dof_pos'] = [[1, 2], [3]]", '"dof_pos" has rows of different length: row 2 does not have 2 values'],
  ["c['dof_pos'] = [[1, 2], [3, None]]", '"dof_pos", row 2, column 2: None is not a number'],
] as const;
const namedBy = (key: string, names: string) =>
  `c['dof_joint_names'] = None; c['${key}'] = ${names}; c['joint_order'] = c.get('joint_order', 5)`;
const SINGLE = "c.update({k: c[k].astype('f4') for k in keys})";
for (const [, change] of SPELLINGS) pickled(change);
for (const [key, names] of NAMES) pickled(namedBy(key, names));
for (const [change] of [...REFUSED, ...BAD_NUMBERS, [SINGLE] as const]) pickled(change);

describe.each(PYTHONS)('a clip pickled with numpy $version', (python) => {
  beforeAll(() => {
    writeFileSync(path.join(folder, 'changes.json'), JSON.stringify(changes));
    runPython(
      python,
      `import copy, json, pickle, sys
import numpy as np
from collections import OrderedDict
clip = {'fps': 120, 'root_pos': np.array([[0, 1, 2], [3, 4, 5.]]), 'root_rot': np.array([[.1, .2, .3, .4], [.5, .6, .7, .8]]),
  'dof_pos': np.array([[10, 11], [12, 13.]]), 'local_body_pos': np.zeros((2, 3, 3)), 'link_body_list': None}
keys = 'root_pos', 'root_rot', 'dof_pos'
for i, change in enumerate(json.load(open(sys.argv[1] + '/changes.json'))):
  space = dict(c=copy.deepcopy(clip), np=np, OrderedDict=OrderedDict, keys=keys)
  exec(change, space)
  for p in range(6):
    with open(f'{sys.argv[1]}/{i}.{p}.pkl', 'wb') as f: pickle.dump(space['c'], f, p)`,
      folder,
    );
  });
  /** Returns the file of two frames with two joints, pickled after `change`. All numbers are different. */
  const fileOf = (change: string, protocol = 4) => path.join(folder, `${changes.indexOf(change)}.${protocol}.pkl`);
  const clip = (change: string, protocol = 4) => readFileSync(fileOf(change, protocol));
  const rows = [0, 1, 2, 0.1, 0.2, 0.3, 0.4, 10, 11, 3, 4, 5, 0.5, 0.6, 0.7, 0.8, 12, 13];

  test.each([0, 1, 2, 3, 4, 5])(
    'a GMR pickle of protocol %i: its rows are root position, quaternion xyzw, joints',
    async (protocol) => {
      const facts = { frames: 2, columns: 9, fps: 120, jointNames: null };
      const bytes = clip(WHOLE, protocol);
      expect(parseGmrPickle(bytes)).toMatchObject({ ...facts, rows: Float64Array.from(rows) });
      expect(gmrPickleFacts(bytes)).toMatchObject(facts);
      expect(await clipFileType('pkl').read(fileOf(WHOLE, protocol))).toMatchObject(facts);
      expect(await clipFileType('pkl').facts(fileOf(WHOLE, protocol))).toMatchObject({
        frames: 2,
        columns: 9,
        fps: 120,
      });
    },
  );

  test.each(SPELLINGS)('a GMR pickle is read with %s', (_, change) => {
    for (const protocol of [2, 5]) expect([...parseGmrPickle(clip(change, protocol)).rows]).toEqual(rows);
  });

  test('a GMR pickle is read in single precision', () => {
    const single = parseGmrPickle(clip(SINGLE));
    expect([...single.rows]).toEqual(rows.map(Math.fround));
  });

  test.each(NAMES)('a GMR pickle with joint names given as %s: %s', (key, names) => {
    const bytes = clip(namedBy(key, names));
    expect(parseGmrPickle(bytes).jointNames).toEqual(['hip', 'knee']);
    expect(gmrPickleFacts(bytes).jointNames).toEqual(['hip', 'knee']);
  });

  test('a GMR pickle is reordered to the joint order of the robot', async () => {
    const target = { columns: 9, jointNames: ['hip', 'knee'], fps: 30 };
    const loaded = await loadClip(fileOf(NAMED), 'pkl', target);
    expect(loaded.fps).toBe(120);
    expect([...loaded.rows.subarray(7, 9)]).toEqual([11, 10]);
    // The reader normalises the quaternion and puts w first.
    expect(loaded.rows[3]! / loaded.rows[4]!).toBeCloseTo(0.4 / 0.1, 12);
  });

  test.each(REFUSED)('a GMR pickle is refused even if only its properties are read: %s', (change, message) => {
    const bytes = clip(change);
    expect(() => parseGmrPickle(bytes)).toThrow(message);
    expect(() => gmrPickleFacts(bytes)).toThrow(message);
  });

  test.each(BAD_NUMBERS)('a GMR pickle is refused for its values: %s', (change, message) => {
    expect(() => parseGmrPickle(clip(change))).toThrow(message);
  });

  test.skipIf(!hasKit)('a GMR pickle has the same rows as the CSV file it was made from', async () => {
    const file = path.join(folder, 'kit.pkl');
    const csv = path.join(KIT, 'clips/flip_360_009__A416.csv');
    runPython(
      python,
      `import pickle, sys
import numpy as np
a = np.loadtxt(sys.argv[1], delimiter=',')
pickle.dump({'fps': 30, 'root_pos': a[:, :3], 'root_rot': a[:, 3:7], 'dof_pos': a[:, 7:]}, open(sys.argv[2], 'wb'))`,
      csv,
      file,
    );
    const clip = await clipFileType('pkl').read(file);
    const { rows, frames, columns } = parseClipCsv(readFileSync(csv));
    expect(clip).toMatchObject({ rows, frames, columns, fps: 30 });
  });

  test('the properties of a GMR pickle are read without reading the whole 100 MB file', async () => {
    const file = path.join(folder, 'large.pkl');
    runPython(
      python,
      `import pickle, sys
import numpy as np
n = 200_000
c = {'extra': np.zeros((n, 30), 'f4'), 'fps': 120, 'root_pos': np.zeros((n, 3)), 'root_rot': np.zeros((n, 4)), 'dof_pos': np.zeros((n, 29))}
with open(sys.argv[1], 'wb') as f: pickle.dump(c, f)
with open(sys.argv[1] + '.bad', 'wb') as f: pickle.dump(dict(c, dof_pos=np.zeros((n, 29), 'f4')), f)`,
      file,
    );
    const before = process.memoryUsage().arrayBuffers;
    expect(await clipFileType('pkl').facts(file)).toMatchObject({ frames: 200_000, columns: 36, fps: 120 });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20);
    // The dtype states eight bytes per number, but the data have four.
    const bytes = readFileSync(`${file}.bad`);
    bytes.write('f8', bytes.lastIndexOf('f4'));
    writeFileSync(file, bytes);
    await expect(clipFileType('pkl').facts(file)).rejects.toThrow(
      'but its shape requires 46400000: the file is damaged',
    );
    await expect(clipFileType('pkl').read(file)).rejects.toThrow(
      'but its shape requires 46400000: the file is damaged',
    );
  });
});
