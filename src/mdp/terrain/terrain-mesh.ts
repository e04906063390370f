import type { TerrainBinary } from '../../protocol/binaries.ts';
import type { TerrainField } from './terrain-field.ts';

/** Distance between vertices, m, and the maximum number of vertices along a side. On a larger mesh, the distance is
 *  larger. */
const CELL = 0.1;
const MOST_NODES = 500;
const LOW = [104, 108, 116] as const;
const HIGH = [188, 190, 194] as const;

/** Creates the mesh of the ground for display, centred at the origin: faces counter-clockwise seen from above, colours
 *  lighter with height. @param halfX  @param halfY extent from the origin along x and y, m */
export function terrainMesh(field: TerrainField, halfX: number, halfY: number): TerrainBinary {
  const cell = Math.max(CELL, (2 * Math.max(halfX, halfY)) / (MOST_NODES - 1));
  const columns = Math.ceil((2 * halfX) / cell) + 1;
  const rows = Math.ceil((2 * halfY) / cell) + 1;
  const vertices = new Float32Array(3 * rows * columns);
  const faces = new Uint32Array(6 * (rows - 1) * (columns - 1));
  let highest = 0;
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const at = 3 * (row * columns + column);
      // The mesh is symmetric about the origin, which is the middle of a tile.
      const x = (column - (columns - 1) / 2) * cell;
      const y = (row - (rows - 1) / 2) * cell;
      const z = field.height(x, y);
      vertices.set([x, y, z], at);
      highest = Math.max(highest, z);
    }
  for (let row = 0; row + 1 < rows; row++)
    for (let column = 0; column + 1 < columns; column++) {
      const a = row * columns + column;
      const above = a + columns;
      faces.set([a, a + 1, above, a + 1, above + 1, above], 6 * (row * (columns - 1) + column));
    }
  return { vertices, faces, colours: coloursOf(vertices, highest) };
}

function coloursOf(vertices: Float32Array, highest: number): Uint8Array {
  const colours = new Uint8Array(vertices.length);
  for (let at = 0; at < vertices.length; at += 3) {
    const part = highest > 0 ? vertices[at + 2]! / highest : 0;
    for (let channel = 0; channel < 3; channel++)
      colours[at + channel] = Math.round(LOW[channel]! + part * (HIGH[channel]! - LOW[channel]!));
  }
  return colours;
}
