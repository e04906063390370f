import { type MjModel, nameAt } from '../../sim/mujoco.ts';

/** mjJNT_FREE */
export const FREE_JOINT = 0;

/** The tree of moving parts of a model. A carrier is the root or a body with joints; bodies that are fixed to a carrier
 *  belong to it. All numbers are body indices of the model; the world is 0. */
export interface BodyTree {
  readonly root: number;
  /** the root and every jointed body below it, in model order */
  readonly carriers: readonly number[];
  /** maps a body to its carrier: the nearest body at or above it that has a joint; 0 for bodies that are not part of
   *  the robot */
  readonly carrierOf: readonly number[];
  /** maps a carrier to the carrier above it; 0 for the root */
  readonly above: ReadonlyMap<number, number>;
  readonly below: ReadonlyMap<number, readonly number[]>;
  /** name of every body */
  readonly names: readonly string[];
}

/** Reads the tree below the free body; if no body is free, below the heaviest child of the world. */
export function readBodyTree(model: MjModel): BodyTree {
  const parents = Array.from(model.body_parentid as Int32Array);
  const roots = parents.flatMap((parent, body) => (body > 0 && parent === 0 ? [body] : []));
  const isFree = (body: number) =>
    model.body_jntnum[body] > 0 && model.jnt_type[model.body_jntadr[body]] === FREE_JOINT;
  const weight = (body: number): number => (isFree(body) ? Infinity : model.body_subtreemass[body]);
  const root = roots.reduce((best, body) => (weight(body) > weight(best) ? body : best), roots[0] ?? 0);
  const carrierOf = new Array<number>(model.nbody).fill(0);
  const carriers: number[] = [];
  const above = new Map<number, number>();
  const below = new Map<number, number[]>();
  for (let body = 1; body < model.nbody; body++) {
    const upper = carrierOf[parents[body]!]!;
    if (body !== root && upper === 0) continue;
    if (body !== root && model.body_jntnum[body] === 0) {
      carrierOf[body] = upper;
      continue;
    }
    carrierOf[body] = body;
    carriers.push(body);
    above.set(body, upper);
    below.set(body, []);
    below.get(upper)?.push(body);
  }
  const names = Array.from({ length: model.nbody }, (_, body) => nameAt(model, model.name_bodyadr[body]));
  return { root, carriers, carrierOf, above, below, names };
}

/** Lists the carriers from the root to `body`, both included. */
export function pathTo(tree: BodyTree, body: number): number[] {
  const path: number[] = [];
  for (let at = tree.carrierOf[body]!; at > 0; at = tree.above.get(at)!) path.unshift(at);
  return path;
}

/** Counts the carriers that the path from one body to the other enters. */
export function treeDistance(tree: BodyTree, first: number, second: number): number {
  const a = pathTo(tree, first);
  const b = pathTo(tree, second);
  let common = 0;
  while (common < a.length && a[common] === b[common]) common++;
  return a.length + b.length - 2 * common;
}

/** Returns whether one of two bodies is an ancestor of the other. */
export function isInLine(tree: BodyTree, first: number, second: number): boolean {
  return pathTo(tree, first).includes(tree.carrierOf[second]!) || pathTo(tree, second).includes(tree.carrierOf[first]!);
}
