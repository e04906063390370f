import { badInput } from '../../core/errors.ts';
import type { ComputeReward, ParamSchema, TermContext } from '../term.ts';
import { BODY_NAMES, TermParams } from '../term-params.ts';

/** Lower limit of the width of a kernel, as in upstream; avoids a division by 0. */
const MIN_STD = 1e-6;

/** Returns exp(−κ e² / s²). Source: `_tracking_exp` of wbc_mjlab.env.mdp.rewards. */
function trackingKernel(squaredError: number, std: number, kappa: number): number {
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

/** Returns the reward exp(−κ e²/s²) of one squared error. */
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
      description: 'width σ per joint, instead of std: s = σ √n for n joints; null: std is used',
    },
    per_joint: {
      type: 'boolean',
      default: false,
      description: 'mean of one kernel of width σ per joint instead of one kernel of their sum',
    },
    joint_names: { type: 'names', default: null, description: 'joints to include, by name; null: all' },
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
      description: 'width σ per body, instead of std: s = σ √n for n bodies; null: std is used',
    },
    per_keybody: {
      type: 'boolean',
      default: false,
      description: 'mean of one kernel of width σ per body instead of one kernel of all',
    },
    body_error_aggregate: {
      type: 'enum',
      default: 'mean',
      enum: ['mean', 'sum'],
      description: 'how the squared errors of the bodies are combined',
    },
  };
}

/** Reward of several squared errors: exp(−κ Σe²/s²) of their sum or mean, or the mean of one kernel per error.
 *  @param count number of errors  @param sigma width per error; null: `std` is the width for all errors together @param
 *  each whether to use the mean of one kernel per error  @param error squared error `k` of `env` */
export function manyKernelsReward(
  { count, sigma, each, mean, std, kappa }: ManyKernels,
  error: (env: number, k: number) => number,
): ComputeReward {
  if (count === 0) return () => 0;
  if (each) {
    if (sigma === null)
      throw badInput('params: a kernel per joint or body needs its width: set sigma_per_joint or sigma_per_keybody');
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

/** Reward of the squared errors of keybodies. @param error squared error of keybody `k` of `env` */
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
