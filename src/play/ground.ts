import type { TerrainConfig } from '../mdp/task-config.ts';
import { TerrainField } from '../mdp/terrain/terrain-field.ts';
import { terrainMesh } from '../mdp/terrain/terrain-mesh.ts';
import { encodeTerrain } from '../protocol/binaries.ts';
import type { PlayPlan } from './plan.ts';

/** m around the outermost environments: clips wander. */
const MARGIN = 10;

/** m from the middle of the grid to the edge of the ground that a session shows. */
export function groundHalf({ config, capacity }: Pick<PlayPlan, 'config' | 'capacity'>): number {
  const side = Math.ceil(Math.sqrt(capacity)) + 1;
  return (side * config.scene.env_spacing) / 2 + MARGIN;
}

/** Uneven ground as `terrain.bin`. Takes tens of milliseconds. @param half m to each side */
export function groundBytes(config: TerrainConfig, half: number): Uint8Array {
  return encodeTerrain(terrainMesh(new TerrainField(config), half, half));
}
