import { expect, test } from 'vitest';
import {
  holdsModel,
  idNear,
  missingFiles,
  planFolder,
} from '../../../../web/src/features/robot-import/shared/model-folder.ts';

const file = (path: string, size = 10) => ({ file: { size }, path });

test('the common folder gives the id and is removed from the paths; the layout below it stays', () => {
  const plan = planFolder([file('g1 v2/g1.xml'), file('g1 v2/meshes/a.stl', 90), file('g1 v2/.git/HEAD')], new Set());
  expect(plan.files.map(({ path }) => path)).toEqual(['g1.xml', 'meshes/a.stl']);
  expect(plan).toMatchObject({ id: 'g1_v2', bytes: 100, left: 1 });
});

test('loose files are named after their model', () => {
  expect(planFolder([file('a.stl'), file('h1.urdf')], new Set())).toMatchObject({ id: 'h1', left: 0 });
});

test('ids are valid for the service and unique', () => {
  expect(idNear('Läufer 2..b-', new Set())).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/);
  expect(idNear('..', new Set())).toBe('robot');
  expect(idNear('import', new Set())).toBe('robot');
  expect(idNear('g1', new Set(['g1', 'g1-2']))).toBe('g1-3');
  expect(idNear('x'.repeat(200), new Set()).length).toBeLessThanOrEqual(64);
});

test('a folder with a model and without clips is treated as a robot', () => {
  expect(holdsModel([file('a/g1.URDF'), file('a/m.stl')])).toBe(true);
  expect(holdsModel([file('a/g1.xml'), file('a/walk.csv')])).toBe(false);
  expect(holdsModel([file('a/m.stl')])).toBe(false);
});

test('files that are already complete are not sent again', () => {
  const files = [file('a.xml'), file('b.stl', 20), file('c.stl')];
  const there = [
    { path: 'a.xml', bytes: 10 },
    { path: 'b.stl', bytes: 7 },
  ];
  expect(missingFiles(files, there).map(({ path }) => path)).toEqual(['b.stl', 'c.stl']);
});
