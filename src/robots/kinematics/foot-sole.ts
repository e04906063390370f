import type { PosedModel } from './posed-model.ts';

/** Measures how far the soles lie below the origins of foot bodies, by the shapes that collide; the mean of the feet, m.
 *  @param posed in the default pose  @param feet names of bodies
 *  @returns null where no foot has a shape that collides */
export function measureFootSole(posed: PosedModel, feet: readonly string[]): number | null {
  const { tree } = posed;
  const soles = feet
    .map((name) => tree.names.indexOf(name))
    .filter((foot) => foot >= 0)
    .map((foot) => posed.position(foot)[2] - posed.extent(tree.carrierOf[foot]!, 2)[0])
    .filter(Number.isFinite);
  return soles.length === 0 ? null : soles.reduce((sum, sole) => sum + sole, 0) / soles.length;
}
