import type { Geom, SceneModel } from './schemas/robots.ts';

/** Highest geom group that MuJoCo's viewer shows by default. */
const LAST_SHOWN_GROUP = 2;

/** Returns the geoms to draw: the visual geoms of each body. A body without visual geoms shows its collision geoms,
 *  because its visual mesh may have been left out. If such a body is fixed to bodies with visual geoms, its collision
 *  geoms in groups that MuJoCo hides are not drawn. */
export function visualGeoms({ bodies, geoms }: Pick<SceneModel, 'bodies' | 'geoms'>): readonly Geom[] {
  const seen = geoms.filter((geom) => geom.type !== 'plane' && (geom.rgba[3] ?? 1) > 0.01);
  const movingPart: number[] = [];
  for (const [k, { fixed, parent }] of bodies.entries()) movingPart[k] = fixed ? (movingPart[parent] ?? k) : k;
  const visuals = seen.filter((geom) => !geom.collision);
  const dressed = new Set(visuals.map((geom) => geom.body));
  const dressedParts = new Set(visuals.map((geom) => movingPart[geom.body]));
  const isHidden = ({ body, group }: Geom) =>
    dressed.has(body) || (group > LAST_SHOWN_GROUP && dressedParts.has(movingPart[body]));
  return seen.filter((geom) => !geom.collision || !isHidden(geom));
}
