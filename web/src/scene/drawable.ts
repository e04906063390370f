import type { SceneOwner } from '../../../src/protocol/events.ts';
import type { FrameHeader } from '../../../src/protocol/frame.ts';

/** `model`: the robots with their geometry. `lines`: lines between their bodies. `nothing`: no robot. */
export type Drawable = 'model' | 'lines' | 'nothing';

/** A robot's model of which the geometry, or at least the tree of bodies, has arrived. */
export interface KnownModel {
  readonly robot: string;
  readonly version: number;
  /** number of bodies */
  readonly nbody: number;
}

/** Returns what may be drawn for the newest frame. The former robot disappears as soon as the frames show another
 *  model: the page already writes the new robot's name. It stays only while the same robot, or the draft that an import
 *  edits, changes its model.
 *  @param header of the newest frame; null before the first
 *  @param shown model whose geometry is drawn, and the owner of the scene in its last frame; null before the first
 *  @param coming model that is loading and whose bodies are known; null: none */
export function drawable(
  header: Pick<FrameHeader, 'model_version' | 'nbody' | 'owner'> | null,
  shown: (KnownModel & { readonly owner: SceneOwner }) | null,
  coming: KnownModel | null,
): Drawable {
  if (header === null) return 'nothing';
  const isOf = (model: KnownModel) => model.version === header.model_version && model.nbody === header.nbody;
  if (shown !== null && isOf(shown)) return 'model';
  if (coming !== null && isOf(coming)) return coming.robot === shown?.robot ? 'model' : 'lines';
  return shown !== null && header.owner === 'import' && shown.owner === 'import' ? 'model' : 'nothing';
}
