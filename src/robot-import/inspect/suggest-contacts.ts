import type { RobotSpec } from '../../protocol/schemas/robots.ts';
import { isInLine, treeDistance } from '../../robots/kinematics/body-tree.ts';
import type { Overlap, PosedModel } from '../../robots/kinematics/posed-model.ts';
import { collides } from '../../sim/geom-extent.ts';
import { mm } from '../number-text.ts';
import type { Limb } from './limbs.ts';

/** Overlaps below this depth are rounding errors, m. */
export const OVERLAP = 2e-3;
/** Bodies overlap by design up to this distance in the body tree. */
const NEAR = 3;
/** Maximum overlap between bodies of different limbs that is considered intended, m. If one body carries the other, the
 *  depth is not limited. */
const BESIDE = 0.02;
/** Sliding friction suggested for a sole. */
const SOLE_FRICTION = 0.6;
/** mjGEOM_MESH */
const MESH = 7;
/** MuJoCo's default friction */
const UNSET_FRICTION = 1;

export interface ContactSuggestion {
  readonly contacts: NonNullable<RobotSpec['contacts']>;
  readonly reason: string;
  readonly warnings: readonly string[];
}

/** Returns whether two overlapping bodies are so close in the tree that their contact should be excluded. */
function excusable({ tree }: PosedModel, { bodies, depth }: Overlap): boolean {
  const [first, second] = bodies;
  return treeDistance(tree, first, second) <= NEAR && (isInLine(tree, first, second) || depth <= BESIDE);
}

/** Returns whether a mesh of one of the bodies collides. MuJoCo uses its convex hull for collisions, which fills
 *  hollows and overlaps bodies inside them. */
function isOfHull({ model }: PosedModel, { bodies }: Overlap): boolean {
  return Array.from({ length: model.ngeom }, (_, geom) => geom).some(
    (geom) => bodies.includes(model.geom_bodyid[geom]) && model.geom_type[geom] === MESH && collides(model, geom),
  );
}

/** Suggests collision masks, excluded pairs and foot friction, for the current pose. */
export function suggestContacts(posed: PosedModel, legs: readonly Limb[]): ContactSuggestion {
  const { model, tree } = posed;
  const geoms = Array.from({ length: model.ngeom }, (_, geom) => geom);
  const solid = geoms.filter((geom) => tree.carrierOf[model.geom_bodyid[geom]] !== 0 && collides(model, geom));
  const ends = new Set(legs.map(({ end }) => end));
  const stated = solid
    .filter((geom) => ends.has(tree.carrierOf[model.geom_bodyid[geom]]!))
    .map((geom) => model.geom_friction[3 * geom] as number)
    .filter((friction) => friction !== UNSET_FRICTION);
  const overlaps = solid.length > 0 ? posed.overlaps(OVERLAP) : [];
  const names = ({ bodies }: Overlap): [string, string] => [tree.names[bodies[0]]!, tree.names[bodies[1]]!];
  const byDesign = overlaps.filter((overlap) => excusable(posed, overlap));
  const ofHulls = overlaps.filter((overlap) => !byDesign.includes(overlap) && isOfHull(posed, overlap));
  const excluded = [...byDesign, ...ofHulls];
  const deep = overlaps.filter((overlap) => !excluded.includes(overlap));
  const list = (some: readonly Overlap[]) =>
    some.map((overlap) => `${names(overlap).join(' and ')} ${mm(overlap.depth)}`).join(', ');
  return {
    contacts: {
      self_collision: true,
      feet: { condim: 3, friction: stated[0] ?? SOLE_FRICTION, priority: 1 },
      ...(excluded.length > 0 ? { exclude: excluded.map(names) } : {}),
    },
    reason:
      `${solid.length} shapes collide; ` +
      (excluded.length > 0
        ? `pairs that overlap in the default pose are excluded: ${list(excluded)}`
        : 'no two bodies overlap in the default pose') +
      `; friction of the soles ${stated[0] ?? SOLE_FRICTION}${stated.length > 0 ? ', from the model' : ''}`,
    warnings: [
      ...(solid.length === 0 ? ['no shape of the model collides: the robot would fall through the floor'] : []),
      ...(ofHulls.length > 0
        ? [
            `hulls of meshes overlap in the default pose, so these pairs are excluded from contact: ${list(ofHulls)}. ` +
              'Give them simpler collision shapes if they have to touch',
          ]
        : []),
      ...(deep.length > 0 ? [`bodies overlap in the default pose: ${list(deep)}`] : []),
    ],
  };
}
