import { expect, test } from 'vitest';
import { type Address, readAddress as read, writeAddress } from '../../../web/src/shell/address.ts';

const readAddress = (hash: string) => read(hash, ['robots', 'data', 'tasks', 'play']);

const nothing: Address = {
  area: null,
  importing: false,
  robot: null,
  dataset: null,
  clip: null,
  frame: null,
  task: null,
  run: null,
  env: null,
  camera: null,
};

test('an address is read back as it was written, names with blanks and slashes included', () => {
  const address: Address = {
    area: 'data',
    importing: false,
    robot: 'g1',
    dataset: 'own takes, nov',
    clip: 'walk (2) +1',
    frame: 120,
    task: null,
    run: null,
    env: null,
    camera: { azimuth: Math.PI / 6, elevation: 0.2, distance: 3.25, target: [0.5, -1, 0.66], follow: 'heading' },
  };
  const read = readAddress(writeAddress(address));
  expect({ ...read, camera: null }).toEqual({ ...address, camera: null });
  expect(read.camera?.azimuth).toBeCloseTo(Math.PI / 6, 3); // rounded to a tenth of a degree
  expect(read.camera).toMatchObject({ distance: 3.25, target: [0.5, -1, 0.66], follow: 'heading' });
});

test('missing and invalid parts of a link are ignored', () => {
  expect(readAddress('')).toEqual(nothing);
  expect(readAddress('#/kitchen')).toEqual(nothing); // an unknown area
  expect(readAddress('#/data/%E0%A4%A/x?frame=-3&camera=1,2')).toEqual({ ...nothing, area: 'data', clip: 'x' });
  expect(readAddress('#/robots/import')).toEqual({ ...nothing, area: 'robots', importing: true });
  expect(readAddress('#/robots/samples').dataset).toBeNull(); // only Data has datasets
});

test('a link to Play names the run and the environment; in other areas they are ignored', () => {
  const address: Address = { ...nothing, area: 'play', robot: 'g1', run: 'g1_wbc/2026-11-20_flat-07', env: 3 };
  expect(readAddress(writeAddress(address))).toEqual(address);
  expect(readAddress('#/data?run=a/b&env=1')).toMatchObject({ run: null, env: null });
  expect(readAddress('#/play?env=&run=a/b').env).toBeNull();
});

test('a link to Tasks names the selection there', () => {
  const address: Address = { ...nothing, area: 'tasks', robot: 'g1', task: 'preset/rough-ground' };
  expect(readAddress(writeAddress(address))).toEqual(address);
  expect(readAddress('#/tasks')).toMatchObject({ area: 'tasks', task: null });
  expect(readAddress('#/tasks/kitchen/sink').task).toBeNull();
});
