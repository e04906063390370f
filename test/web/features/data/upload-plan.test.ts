import { expect, test } from 'vitest';
import { planUpload } from '../../../../web/src/features/data/upload-plan.ts';
import { type DroppedEntry, filesOfEntries } from '../../../../web/src/ui/chosen-files.ts';

const chosen = (path: string, size = 10) => ({ file: { size }, path });

test('clips are uploaded in natural order; other files are left out with a reason', () => {
  const plan = planUpload([
    chosen('set/walk_10.csv'),
    chosen('set/walk_2.csv'),
    chosen('set/.DS_Store'),
    chosen('set/readme.md'),
    chosen('set/raw/walk_2.csv'),
    chosen('set/empty.npz', 0),
    chosen('set/Take.PKL'),
  ]);
  expect(plan.accepted.map(({ name }) => name)).toEqual(['Take.PKL', 'walk_2.csv', 'walk_10.csv']);
  expect(plan.refused.map(({ path }) => path)).toEqual([
    'set/.DS_Store',
    'set/readme.md',
    'set/raw/walk_2.csv',
    'set/empty.npz',
  ]);
  expect(plan.bytes).toBe(30);
});

test('human motion is left out, with a hint about the remedy', () => {
  const { accepted, refused } = planUpload([chosen('a.motion'), chosen('b.npy'), chosen('c.BVH'), chosen('d.fbx')]);
  expect(accepted.map(({ name }) => name)).toEqual(['a.motion', 'b.npy']);
  expect(refused.map(({ path, reason }) => [path, reason])).toEqual([
    [
      'c.BVH',
      expect.stringMatching(/^the file is a BVH recording of a human skeleton; retarget it to the robot first/),
    ],
    ['d.fbx', expect.stringMatching(/^the file is an FBX scene, .* for example with GMR, and upload the result$/)],
  ]);
});

test('a single dropped folder gives the dataset its name; loose files and inner folders do not', () => {
  expect(planUpload([chosen('LAFAN1/a.csv'), chosen('LAFAN1/raw/b.csv')]).folder).toBe('LAFAN1');
  expect(planUpload([chosen('a.csv'), chosen('LAFAN1/b.csv')]).folder).toBeNull();
  expect(planUpload([chosen('raw/a.csv'), chosen('raw/b.csv')]).folder).toBeNull();
  expect(planUpload([]).folder).toBeNull();
});

/** Returns a folder whose entries are read in portions, as in browsers. */
function folder(path: string, portions: DroppedEntry[][]): DroppedEntry {
  return {
    isFile: false,
    fullPath: path,
    createReader: () => {
      const rest = [...portions, []];
      return { readEntries: (done) => done(rest.shift() ?? []) };
    },
  };
}

test('dropped folders are read completely, part by part', async () => {
  const file = (path: string): DroppedEntry => ({
    isFile: true,
    fullPath: path,
    file: (done) => done(new File(['1'], path)),
  });
  const found = await filesOfEntries([
    folder('/set', [[file('/set/a.csv')], [file('/set/b.csv'), folder('/set/raw', [[file('/set/raw/c.csv')]])]]),
    file('/d.csv'),
  ]);
  expect(found.map(({ path }) => path)).toEqual(['set/a.csv', 'set/b.csv', 'set/raw/c.csv', 'd.csv']);
});

test('a folder that cannot be read is reported with the reason', async () => {
  const closed: DroppedEntry = {
    isFile: false,
    fullPath: '/x',
    createReader: () => ({ readEntries: (_, failed) => failed(new Error('no permission')) }),
  };
  await expect(filesOfEntries([closed])).rejects.toThrow('no permission');
});
