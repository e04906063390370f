import { createHash } from 'node:crypto';
import type { Tagged } from '../../core/tagged.ts';
import type { TerrainConfig } from '../../mdp/task-config.ts';
import { groundHalf } from '../../play/ground.ts';
import type { PlayPlan } from '../../play/plan.ts';
import { FLAT_HALF, flatTerrain } from '../robots/terrain.ts';

/** Version number of the flat tile that all scenes share. */
const FLAT_VERSION = 1;

/** The ground under a session. */
export interface SessionGround {
  readonly version: number;
  /** the session's own ground; null: the flat tile that all scenes share */
  readonly content: Tagged<Uint8Array> | null;
}

/** Returns the ground of a session: the shared tile if the ground is flat and the tile is large enough.
 *  @param mesh builds uneven ground on another thread */
export async function groundOf(
  plan: Pick<PlayPlan, 'config' | 'capacity'>,
  nextVersion: () => number,
  mesh: (config: TerrainConfig, half: number) => Promise<Uint8Array>,
): Promise<SessionGround> {
  const { terrain } = plan.config.scene;
  const half = groundHalf(plan);
  if (terrain.type !== 'plane') {
    const content = await mesh(terrain, half);
    const etag = createHash('sha256').update(content).digest('hex').slice(0, 32);
    return { version: nextVersion(), content: { content, etag } };
  }
  if (half <= FLAT_HALF) return { version: FLAT_VERSION, content: null };
  return { version: nextVersion(), content: flatTerrain(half) };
}
