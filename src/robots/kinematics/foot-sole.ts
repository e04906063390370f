import type { PosedModel } from './posed-model.ts';

/** Measures the distance from the origins of foot bodies down to their collision shapes; the mean of all feet, m.
 *  @param posed the robot in its default pose  @param feet names of bodies
 *  @returns null if no foot has a collision shape */
export function measureFootSole(posed: PosedModel, feet: readonly string[]): number | null {
  const { tree } = posed;
  const soles = feet
    .map((name) => tree.names.indexOf(name))
    .filter((foot) => foot >= 0)
    .map((foot) => posed.position(foot)[2] - posed.extent(tree.carrierOf[foot]!, 2)[0])
    .filter(Number.isFinite);
  return soles.length === 0 ? null : soles.reduce((sum, sole) => sum + sole, 0) / soles.length;
}
