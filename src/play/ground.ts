import type { TerrainConfig } from '../mdp/task-config.ts';
import { TerrainField } from '../mdp/terrain/terrain-field.ts';
import { terrainMesh } from '../mdp/terrain/terrain-mesh.ts';
import { encodeTerrain } from '../protocol/binaries.ts';
import type { PlayPlan } from './plan.ts';

/** Margin around the outermost environments, m. The motion of clips leads away from their starting point. */
const MARGIN = 10;

/** Returns the distance from the middle of the grid to the edge of the displayed ground, m. */
export function groundHalf({ config, capacity }: Pick<PlayPlan, 'config' | 'capacity'>): number {
  const side = Math.ceil(Math.sqrt(capacity)) + 1;
  return (side * config.scene.env_spacing) / 2 + MARGIN;
}

/** Encodes uneven ground as `terrain.bin`. Takes tens of milliseconds. @param half extent to each side, m */
export function groundBytes(config: TerrainConfig, half: number): Uint8Array {
  return encodeTerrain(terrainMesh(new TerrainField(config), half, half));
}
