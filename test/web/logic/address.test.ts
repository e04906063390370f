import { expect, test } from 'vitest';
import { type Address, readAddress, writeAddress } from '../../../web/src/logic/address.ts';

const nothing: Address = {
  area: null,
  importing: false,
  robot: null,
  dataset: null,
  clip: null,
  frame: null,
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
    camera: { azimuth: Math.PI / 6, elevation: 0.2, distance: 3.25, target: [0.5, -1, 0.66], follow: 'heading' },
  };
  const read = readAddress(writeAddress(address));
  expect({ ...read, camera: null }).toEqual({ ...address, camera: null });
  expect(read.camera?.azimuth).toBeCloseTo(Math.PI / 6, 3); // a tenth of a degree is kept
  expect(read.camera).toMatchObject({ distance: 3.25, target: [0.5, -1, 0.66], follow: 'heading' });
});

test('what a link does not name, or names wrongly, is nothing instead of an error', () => {
  expect(readAddress('')).toEqual(nothing);
  expect(readAddress('#/play')).toEqual(nothing); // an area that this page does not have
  expect(readAddress('#/data/%E0%A4%A/x?frame=-3&camera=1,2')).toEqual({ ...nothing, area: 'data', clip: 'x' });
  expect(readAddress('#/robots/import')).toEqual({ ...nothing, area: 'robots', importing: true });
  expect(readAddress('#/robots/samples').dataset).toBeNull(); // only Data has datasets
});
