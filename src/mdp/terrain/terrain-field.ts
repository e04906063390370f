import { badInput } from '../../core/errors.ts';
import { GROUND, GROUND_CELL } from '../../robots/uneven-ground.ts';
import { EnvRandom } from '../random/env-random.ts';
import type { TerrainConfig } from '../task-config.ts';

/** Half width of the flat top of slopes and stairs, m. */
const PLATFORM = 0.75;
/** Depth of a step of stairs, m. */
const TREAD = 0.3;
/** Distance between the grid points of the random heights of rough ground, m. */
const GRAIN = 0.25;
/** Maximum distance from its tile that a robot may reach, m. */
const REACH = 3;
/** Limits of the side length of a tile, m. MuJoCo's height field holds one tile and its surroundings. */
export const TILE_SIZE = { minimum: 1, maximum: 2 * (GROUND.half - REACH) } as const;

/** Endless uneven ground that repeats one tile. The lowest height is 0, m, world frame.
 *
 *  - `rough`: random heights of 0 to `height`, 0.25 m apart, linearly interpolated;
 *  - `slopes`: a pyramid on each tile, rising by `slope` from its border to a flat top;
 *  - `stairs`: the same shape in steps of `height`, 0.3 m deep. */
export class TerrainField {
  readonly config: TerrainConfig;
  readonly #grains: number;
  readonly #random: Float64Array;

  /** @throws StudioError bad_input for a tile that is too large, too small or too high */
  constructor(config: TerrainConfig) {
    const problem = terrainProblem(config);
    if (problem) throw badInput(`scene.terrain.${problem.knob}: ${problem.text}`);
    this.config = config;
    const { tile_size: tile, type } = config;
    this.#grains = type === 'rough' ? Math.max(1, Math.round(tile / GRAIN)) : 0;
    this.#random = randomHeights(this.#grains, config.seed);
  }

  /** Returns the height of the ground at a point of the world, m. */
  height(x: number, y: number): number {
    const { type, height, slope, tile_size: tile } = this.config;
    switch (type) {
      case 'plane':
        return 0;
      case 'rough':
        return height * this.#noise((x / tile) * this.#grains, (y / tile) * this.#grains);
      case 'slopes':
        return slope * this.#inwards(x, y);
      case 'stairs':
        return height * steps(this.#inwards(x, y));
    }
  }

  /** Fills MuJoCo's height field with the ground around the centre of a tile. */
  fill(heights: Float32Array): void {
    for (let row = 0; row < GROUND.nodes; row++)
      for (let column = 0; column < GROUND.nodes; column++) {
        const x = column * GROUND_CELL - GROUND.half;
        const y = row * GROUND_CELL - GROUND.half;
        heights[row * GROUND.nodes + column] = this.height(x, y) / GROUND.height;
      }
  }

  /** Returns the distance from the border of the tile, m, limited to the distance of the flat top. */
  #inwards(x: number, y: number): number {
    const { tile_size: tile } = this.config;
    const outwards = Math.max(Math.abs(x - tile * Math.round(x / tile)), Math.abs(y - tile * Math.round(y / tile)));
    return Math.max(0, tile / 2 - Math.max(outwards, PLATFORM));
  }

  /** Returns interpolated noise, 0..1. Coordinates are in units of the noise grid. */
  #noise(x: number, y: number): number {
    const n = this.#grains;
    const column = Math.floor(x);
    const row = Math.floor(y);
    const u = x - column;
    const v = y - row;
    const at = (r: number, c: number) => this.#random[(((r % n) + n) % n) * n + (((c % n) + n) % n)]!;
    const below = at(row, column) * (1 - u) + at(row, column + 1) * u;
    const above = at(row + 1, column) * (1 - u) + at(row + 1, column + 1) * u;
    return below * (1 - v) + above * v;
  }
}

/** Returns why a terrain is invalid and which setting to change; null for a valid terrain. */
export function terrainProblem({
  type,
  height,
  slope,
  tile_size: tile,
}: TerrainConfig): { readonly knob: 'tile_size' | 'height' | 'slope'; readonly text: string } | null {
  const { minimum, maximum } = TILE_SIZE;
  if (type === 'plane') return null;
  if (!(tile >= minimum && tile <= maximum))
    return { knob: 'tile_size', text: `must be ${minimum} to ${maximum} m, not ${tile}` };
  if (!(height >= 0 && height <= GROUND.height))
    return { knob: 'height', text: `must be 0 to ${GROUND.height} m, not ${height}` };
  const inwards = Math.max(0, tile / 2 - PLATFORM);
  const top = type === 'slopes' ? slope * inwards : type === 'stairs' ? height * steps(inwards) : height;
  if (top <= GROUND.height) return null;
  return {
    knob: type === 'slopes' ? 'slope' : 'height',
    text: `the middle of a tile would be ${top.toFixed(1)} m high, the limit is ${GROUND.height} m; reduce the slope or the tile size`,
  };
}

/** Returns the number of stairs up to a point. @param inwards distance from the border of the tile, m */
function steps(inwards: number): number {
  return Math.floor(inwards / TREAD + 1e-9);
}

/** Returns (n, n) uniform random values, 0..1. */
function randomHeights(n: number, seed: number): Float64Array {
  const random = new EnvRandom(1, { seed, purpose: 0, first: 0, stride: 1 });
  return Float64Array.from({ length: n * n }, () => random.next(0));
}
