/** Maximum number of steps of evaluations, as a share of the training's environment steps. Evaluations of whole
 *  episodes after every 25 iterations took 0.42 of the steps and a third of the time. */
export const EVALUATED = 0.15;

/** Returns the number of iterations between two evaluations: a multiple of `least` that keeps evaluations within their
 *  share of the steps.
 *  @param evaluated steps of the last evaluation, 0 before the first
 *  @param collected environment steps of one iteration of the training */
export function evaluationInterval(least: number, evaluated: number, collected: number): number {
  return least * Math.max(1, Math.ceil(evaluated / (EVALUATED * least * collected)));
}
