import { badInput } from '../../core/errors.ts';
import type { ComputeReward, ParamSchema, TermContext } from '../term.ts';
import { BODY_NAMES, TermParams } from '../term-params.ts';

/** Least width of a kernel, as upstream has it: a width of 0 would divide by nothing. */
const MIN_STD = 1e-6;

/** e⁻ᵏ: κ e² / s². Source: `_tracking_exp` of wbc_mjlab.env.mdp.rewards. */
export function trackingKernel(squaredError: number, std: number, kappa: number): number {
  const width = Math.max(std, MIN_STD);
  return Math.exp((-kappa * squaredError) / (width * width));
}

/** @param std default width, in `unit` */
export function kernelParams(std: number, unit: string): Readonly<Record<string, ParamSchema>> {
  return {
    std: { type: 'number', default: std, minimum: 0, unit, description: 'width s of the kernel exp(−κ e²/s²)' },
    kappa: {
      type: 'number',
      default: 1,
      minimum: 0,
      description: 'steepness κ of the kernel; 1/4 makes it twice as wide',
    },
  };
}

/** exp(−κ e²/s²) of one squared error. */
export function kernelReward(
  schema: Readonly<Record<string, ParamSchema>>,
  given: ConstructorParameters<typeof TermParams>[1],
  squaredError: (env: number) => number,
): ComputeReward {
  const params = new TermParams(schema, given);
  const std = params.number('std');
  const kappa = params.number('kappa');
  return (env) => trackingKernel(squaredError(env), std, kappa);
}

/** @param std default width, in `unit` */
export function jointKernelParams(std: number, unit: string): Readonly<Record<string, ParamSchema>> {
  return {
    ...kernelParams(std, unit),
    sigma_per_joint: {
      type: 'number',
      default: null,
      minimum: 0,
      unit,
      description: 'width σ a joint, instead of std: s = σ √n for n joints; null: std counts',
    },
    per_joint: {
      type: 'boolean',
      default: false,
      description: "mean of every joint's own kernel of width σ instead of one kernel of their sum",
    },
    joint_names: { type: 'names', default: null, description: 'joints that count, by name; null: all' },
  };
}

/** @param std default width, in `unit` */
export function bodyKernelParams(std: number, unit: string): Readonly<Record<string, ParamSchema>> {
  return {
    ...kernelParams(std, unit),
    body_names: BODY_NAMES,
    sigma_per_keybody: {
      type: 'number',
      default: null,
      minimum: 0,
      unit,
      description: 'width σ a body, instead of std: s = σ √n for n bodies; null: std counts',
    },
    per_keybody: {
      type: 'boolean',
      default: false,
      description: "mean of every body's own kernel of width σ instead of one kernel of all",
    },
    body_error_aggregate: {
      type: 'enum',
      default: 'mean',
      enum: ['mean', 'sum'],
      description: "how the bodies' squared errors become one",
    },
  };
}

/** Reward of several squared errors: exp(−κ Σe²/s²), of their mean, or the mean of each one's own kernel.
 *  @param count how many errors @param sigma width each, null: `std` is the width of all
 *  @param each mean of single kernels @param error squared error `k` of `env` */
export function manyKernelsReward(
  { count, sigma, each, mean, std, kappa }: ManyKernels,
  error: (env: number, k: number) => number,
): ComputeReward {
  if (count === 0) return () => 0;
  if (each) {
    if (sigma === null)
      throw badInput('params: a kernel each needs the width of one, sigma_per_joint or sigma_per_keybody');
    return (env) => {
      let sum = 0;
      for (let k = 0; k < count; k++) sum += trackingKernel(error(env, k), sigma, kappa);
      return sum / count;
    };
  }
  const width = sigma === null ? std : sigma * Math.sqrt(count);
  const share = mean ? 1 / count : 1;
  return (env) => {
    let sum = 0;
    for (let k = 0; k < count; k++) sum += error(env, k);
    return trackingKernel(sum * share, width, kappa);
  };
}

interface ManyKernels {
  readonly count: number;
  readonly sigma: number | null;
  readonly each: boolean;
  readonly mean: boolean;
  readonly std: number;
  readonly kappa: number;
}

/** Reward of the keybodies' squared errors. @param error of keybody `k` in `env` */
export function bodyKernelReward(
  context: TermContext,
  schema: Readonly<Record<string, ParamSchema>>,
  given: ConstructorParameters<typeof TermParams>[1],
  error: (env: number, k: number) => number,
): ComputeReward {
  const params = new TermParams(schema, given);
  const bodies = params.keybodies(context);
  return manyKernelsReward(
    {
      count: bodies.length,
      sigma: params.numberOrNull('sigma_per_keybody'),
      each: params.boolean('per_keybody'),
      mean: params.string('body_error_aggregate') === 'mean',
      std: params.number('std'),
      kappa: params.number('kappa'),
    },
    (env, i) => error(env, bodies[i]!),
  );
}
