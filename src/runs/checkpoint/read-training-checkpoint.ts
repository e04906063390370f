import { badInput, messageOf, StudioError } from '../../core/errors.ts';
import type { PickleValue } from '../../formats/pickle/pickle-values.ts';
import type { TorchFile } from '../../formats/torch/read-torch.ts';
import { TorchTensor } from '../../formats/torch/tensor.ts';
import { readCheckpoint, type SavedNetwork } from '../../policy/checkpoint/read-checkpoint.ts';
import type { DenseLayer } from '../../policy/policy.ts';
import type { Checkpoint, NetworkMoments, NetworkState } from './write-checkpoint.ts';

/** First and second moment of Adam for one parameter. */
type Pair = readonly [Float32Array, Float32Array];

/** Number of observations that a normaliser represents if the file does not state it, as in older files of rsl_rl. With
 *  0, the first observations of the training would replace it. */
const UNKNOWN_COUNT = 100_000;
const DEFAULT_RATE = 1e-3;

/** Reads a checkpoint of this service or of rsl_rl to resume or start from. Adam's moments are used if they are valid
 *  and their shapes match the networks; otherwise they start at zero.
 *  @param field name of the field in messages  @throws bad_input naming the missing part, or the file if it cannot be
 *  opened */
export async function readTrainingCheckpoint(file: string, field = 'resume_checkpoint'): Promise<Checkpoint> {
  const read = await readCheckpoint(file).catch((error: unknown) => {
    if (error instanceof StudioError) throw error;
    throw badInput(`${field}: the checkpoint ${file} cannot be read: ${messageOf(error)}`);
  });
  if (!read.critic) throw badInput(`${field}: the file has no critic, so a training cannot use it`);
  if (!read.std) throw badInput(`${field}: the file has no standard deviations of actions`);
  if (!read.std.every((value) => value > 0))
    throw badInput(`${field}: the file has standard deviations of actions that are not positive`);
  const actor = { ...networkState(read.actor), std: read.std };
  const critic = { ...networkState(read.critic), std: null };
  const value = read.file.value as ReadonlyMap<PickleValue, PickleValue>;
  const saved = optimizerOf(read.file, value.get('optimizer_state_dict'), actor, critic);
  return {
    iteration: countOf(read.iteration),
    actor,
    critic,
    optimizer: saved ?? {
      steps: 0,
      learningRate: DEFAULT_RATE,
      actor: {
        layers: [zeros(actor.layers), zeros(actor.layers)],
        std: [actor.std.map(() => 0), actor.std.map(() => 0)],
      },
      critic: { layers: [zeros(critic.layers), zeros(critic.layers)], std: null },
    },
    envSteps: countOf(numberAt(value.get('infos'), 'env_state', 'common_step_counter')),
  };
}

function networkState({ layers, normalizer }: SavedNetwork): Omit<NetworkState, 'std'> {
  return {
    layers,
    normalizer: normalizer && {
      mean: Float64Array.from(normalizer.mean),
      variance: Float64Array.from(normalizer.std, (value) => value * value),
      count: normalizer.count ?? UNKNOWN_COUNT,
    },
  };
}

function optimizerOf(
  file: TorchFile,
  dict: PickleValue | undefined,
  actor: NetworkState,
  critic: NetworkState,
): Checkpoint['optimizer'] | null {
  if (!(dict instanceof Map)) return null;
  const state = dict.get('state');
  const groups = dict.get('param_groups');
  if (!(state instanceof Map) || !Array.isArray(groups)) return null;
  const pairs = [...state.keys()]
    .filter((key) => typeof key === 'number')
    .sort((a, b) => a - b)
    .map((key) => pairOf(file, state.get(key)));
  const first = [...state.values()][0];
  const steps = first instanceof Map ? stepOf(file, first.get('step')) : null;
  if (!pairs.every((pair) => pair !== null && isValid(pair)) || steps === null || !(steps >= 0)) return null;
  const own = momentsIn(pairs as Pair[], actor, critic);
  const rate = numberAt(groups[0], 'lr');
  return own && { ...own, steps, learningRate: rate !== null && rate > 0 ? rate : DEFAULT_RATE };
}

/** Assigns moments to parameters. Torch stores them in the order in which modules were created: the standard deviations
 *  come after the actor's layers or before them. */
function momentsIn(pairs: readonly Pair[], actor: NetworkState, critic: NetworkState) {
  const count = 2 * actor.layers.length;
  if (pairs.length !== count + 1 + 2 * critic.layers.length) return null;
  for (const stdAt of [count, 0]) {
    const std = pairs[stdAt]!;
    const rest = pairs.filter((_, k) => k !== stdAt);
    const actorLayers = layersOf(rest.slice(0, count), actor.layers);
    const criticLayers = layersOf(rest.slice(count), critic.layers);
    if (std[0].length !== actor.std?.length || !actorLayers || !criticLayers) continue;
    const moments: { actor: NetworkMoments; critic: NetworkMoments } = {
      actor: { layers: actorLayers, std: [std[0], std[1]] },
      critic: { layers: criticLayers, std: null },
    };
    return moments;
  }
  return null;
}

function layersOf(pairs: readonly Pair[], layers: readonly DenseLayer[]): [DenseLayer[], DenseLayer[]] | null {
  const fits = layers.every(
    ({ weight, bias }, k) => pairs[2 * k]![0].length === weight.length && pairs[2 * k + 1]![0].length === bias.length,
  );
  if (!fits) return null;
  const moment = (which: 0 | 1) =>
    layers.map(({ inputs, outputs }, k) => ({
      inputs,
      outputs,
      weight: pairs[2 * k]![which],
      bias: pairs[2 * k + 1]![which],
    }));
  return [moment(0), moment(1)];
}

function pairOf(file: TorchFile, value: PickleValue | undefined): Pair | null {
  if (!(value instanceof Map)) return null;
  const [first, second] = [value.get('exp_avg'), value.get('exp_avg_sq')];
  return first instanceof TorchTensor && second instanceof TorchTensor
    ? [file.values(first), file.values(second)]
    : null;
}

/** Whether both moments are finite, and no second moment is negative. */
function isValid([first, second]: Pair): boolean {
  return first.every(Number.isFinite) && second.every((value) => value >= 0 && value < Number.POSITIVE_INFINITY);
}

/** Returns a count of a file; 0 if it has none or an invalid one. */
function countOf(value: number | null): number {
  return value !== null && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

function stepOf(file: TorchFile, value: PickleValue | undefined): number | null {
  if (value instanceof TorchTensor) return file.values(value)[0] ?? null;
  return typeof value === 'number' ? value : null;
}

function numberAt(value: PickleValue | undefined, ...keys: readonly string[]): number | null {
  let at = value;
  for (const key of keys) at = at instanceof Map ? at.get(key) : undefined;
  return typeof at === 'number' ? at : null;
}

function zeros(layers: readonly DenseLayer[]): DenseLayer[] {
  return layers.map((layer) => ({
    ...layer,
    weight: new Float32Array(layer.weight.length),
    bias: new Float32Array(layer.bias.length),
  }));
}
