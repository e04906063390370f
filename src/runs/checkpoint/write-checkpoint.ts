import {
  dict,
  list,
  ordered,
  pyFloat,
  type TorchValue,
  tensor,
  tuple,
  writeTorch,
} from '../../formats/torch/write-torch.ts';
import type { DenseLayer } from '../../policy/policy.ts';

/** The state of one network in a checkpoint. */
export interface NetworkState {
  readonly layers: readonly DenseLayer[];
  /** mean and variance of the observations; null if observations are not normalised */
  readonly normalizer: { readonly mean: Float64Array; readonly variance: Float64Array; readonly count: number } | null;
  /** (actions) standard deviations; null for a critic */
  readonly std: Float32Array | null;
}

/** First and second moments of Adam for one network, in the shapes of its parameters. */
export interface NetworkMoments {
  readonly layers: readonly [readonly DenseLayer[], readonly DenseLayer[]];
  readonly std: readonly [Float32Array, Float32Array] | null;
}

/** State of a training at the end of an iteration: all that is needed to resume it. */
export interface Checkpoint {
  readonly iteration: number;
  readonly actor: NetworkState;
  readonly critic: NetworkState;
  readonly optimizer: {
    readonly steps: number;
    readonly learningRate: number;
    readonly actor: NetworkMoments;
    readonly critic: NetworkMoments;
  };
  /** environment steps so far, summed over all environments */
  readonly envSteps: number;
}

/** Formats a checkpoint in the layout of rsl_rl 5, which PyTorch can load. Keys: `actor_state_dict`,
 *  `critic_state_dict`, `optimizer_state_dict` (one Adam for both networks), `iter`, `infos`. */
export function formatCheckpoint(checkpoint: Checkpoint): Uint8Array<ArrayBuffer> {
  const { actor, critic, optimizer, iteration, envSteps } = checkpoint;
  const moments = [...momentsOf(optimizer.actor), ...momentsOf(optimizer.critic)];
  const step = () => tensor(Float32Array.of(optimizer.steps));
  return writeTorch(
    dict([
      ['actor_state_dict', ordered(stateDict(actor))],
      ['critic_state_dict', ordered(stateDict(critic))],
      [
        'optimizer_state_dict',
        dict([
          [
            'state',
            dict(
              moments.map(([first, second], k) => [
                k,
                dict([
                  ['step', step()],
                  ['exp_avg', first],
                  ['exp_avg_sq', second],
                ]),
              ]),
            ),
          ],
          [
            'param_groups',
            list([
              dict([
                ['lr', pyFloat(optimizer.learningRate)],
                ['betas', tuple(pyFloat(0.9), pyFloat(0.999))],
                ['eps', pyFloat(1e-8)],
                ['weight_decay', 0],
                ['amsgrad', false],
                ['foreach', null],
                ['maximize', false],
                ['capturable', false],
                ['differentiable', false],
                ['fused', null],
                ['params', list(moments.map((_, k) => k))],
              ]),
            ]),
          ],
        ]),
      ],
      ['iter', iteration],
      ['infos', dict([['env_state', dict([['common_step_counter', envSteps]])]])],
    ]),
  );
}

/** Builds a state dict. Layers have even numbers; odd numbers are the activations between them. */
function stateDict({ layers, normalizer, std }: NetworkState): [string, TorchValue][] {
  const entries: [string, TorchValue][] = [];
  if (normalizer) {
    const row = (values: ArrayLike<number>) => tensor(Float32Array.from(values), [1, values.length]);
    entries.push(
      ['obs_normalizer._mean', row(normalizer.mean)],
      ['obs_normalizer._var', row(normalizer.variance)],
      ['obs_normalizer._std', row(Float64Array.from(normalizer.variance, Math.sqrt))],
      ['obs_normalizer.count', tensor(BigInt64Array.of(BigInt(Math.round(normalizer.count))))],
    );
  }
  for (const [k, layer] of layers.entries()) {
    const [weight, bias] = tensorsOf(layer);
    entries.push([`mlp.${2 * k}.weight`, weight], [`mlp.${2 * k}.bias`, bias]);
  }
  if (std) entries.push(['distribution.std_param', tensor(std, [std.length])]);
  return entries;
}

function momentsOf({ layers, std }: NetworkMoments): [TorchValue, TorchValue][] {
  const [first, second] = layers;
  const pairs = first.flatMap((layer, k): [TorchValue, TorchValue][] => {
    const [weight, bias] = tensorsOf(layer);
    const [weight2, bias2] = tensorsOf(second[k]!);
    return [
      [weight, weight2],
      [bias, bias2],
    ];
  });
  if (std) pairs.push([tensor(std[0], [std[0].length]), tensor(std[1], [std[1].length])]);
  return pairs;
}

function tensorsOf({ weight, bias, inputs, outputs }: DenseLayer): [TorchValue, TorchValue] {
  return [tensor(weight, [outputs, inputs]), tensor(bias, [outputs])];
}
