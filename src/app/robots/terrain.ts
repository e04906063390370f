import { createHash } from 'node:crypto';
import type { Tagged } from '../../core/tagged.ts';
import { encodeTerrain } from '../../protocol/binaries.ts';

/** Half the side of the flat tile of all scenes, m. */
export const FLAT_HALF = 20;
/** Number of cells per side. The tile needs several vertices, because some renderers compute light per vertex. */
const CELLS = 20;
const GREY = 128;

/** Builds the flat tile under the robots: z = 0, centred at the origin, faces counter-clockwise seen from above.
 *  @param half half side of the tile, m */
export function flatTerrain(half = FLAT_HALF): Tagged<Uint8Array> {
  const side = CELLS + 1;
  const vertices = new Float32Array(3 * side * side);
  const faces = new Uint32Array(6 * CELLS * CELLS);
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const at = 3 * (row * side + column);
      vertices[at] = -half + (2 * half * column) / CELLS;
      vertices[at + 1] = -half + (2 * half * row) / CELLS;
    }
  }
  for (let row = 0; row < CELLS; row++) {
    for (let column = 0; column < CELLS; column++) {
      const a = row * side + column;
      faces.set([a, a + 1, a + side, a + 1, a + side + 1, a + side], 6 * (row * CELLS + column));
    }
  }
  const colours = new Uint8Array(vertices.length).fill(GREY);
  const content = encodeTerrain({ vertices, colours, faces });
  return { content, etag: createHash('sha256').update(content).digest('hex').slice(0, 32) };
}
