import { stat } from 'node:fs/promises';
import path from 'node:path';
import { badInput, StudioError } from '../../core/errors.ts';
import { readTorch, type TorchFile } from '../../formats/torch/read-torch.ts';
import { TorchTensor } from '../../formats/torch/tensor.ts';
import type { DenseLayer } from '../policy.ts';
import { dictAt, layersAt, type StateDict, type Statistics, statisticsAt, valuesAt } from './network-tensors.ts';

/** A network of a checkpoint with its observation statistics. */
export interface SavedNetwork {
  readonly layers: readonly DenseLayer[];
  readonly normalizer: Statistics | null;
}

/** The content of a checkpoint of rsl_rl or of this service. */
export interface Checkpoint {
  readonly actor: SavedNetwork;
  /** null unless the critic is fully connected */
  readonly critic: SavedNetwork | null;
  /** (actions) standard deviations; null if the file has none */
  readonly std: Float32Array | null;
  readonly iteration: number | null;
  /** the open file, for reading other entries */
  readonly file: TorchFile;
}

const MAX_BYTES = 1 << 30;

/** Reads a checkpoint of rsl_rl in any of its layouts: `actor_state_dict` (5), the same with `std` (4), and one
 *  `model_state_dict` for both networks (earlier). Code in the file is never executed.
 *  @throws StudioError bad_input naming the file, and a tensor that is missing, not finite or does not fit */
export async function readCheckpoint(file: string): Promise<Checkpoint> {
  const name = path.basename(file);
  try {
    const { size } = await stat(file);
    if (size > MAX_BYTES) throw badInput(`is larger than any supported policy file (${size} bytes)`);
    return parseCheckpoint(await readTorch(file));
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    throw new StudioError(error.code, `${name}: ${error.message}`, { cause: error });
  }
}

function parseCheckpoint(file: TorchFile): Checkpoint {
  const { value } = file;
  if (!(value instanceof Map)) throw badInput('is not a checkpoint of rsl_rl: it does not contain a dict');
  const iteration = value.get('iter');
  const rest = { iteration: typeof iteration === 'number' ? iteration : null, file };
  const actor = dictAt(value, 'actor_state_dict');
  if (actor) {
    const critic = dictAt(value, 'critic_state_dict');
    refuseRecurrent(actor, 'actor_state_dict');
    const own = (role: 'actor' | 'critic', dict: StateDict) =>
      network(file, dict, ['mlp.', `${role}.`], ['obs_normalizer.', `${role}_obs_normalizer.`], `${role}_state_dict`);
    return {
      actor: own('actor', actor),
      critic: critic && isDense(critic, ['mlp.', 'critic.']) ? own('critic', critic) : null,
      std: deviations(file, actor, 'actor_state_dict'),
      ...rest,
    };
  }
  const model = dictAt(value, 'model_state_dict');
  if (!model) throw badInput('is not a checkpoint of rsl_rl: it has neither actor_state_dict nor model_state_dict');
  refuseRecurrent(model, 'model_state_dict');
  const own = (role: 'actor' | 'critic') =>
    network(file, model, [`${role}.`], [`${role}_obs_normalizer.`], 'model_state_dict');
  const actorNetwork = own('actor');
  return {
    // The oldest layout stores the actor's normaliser next to the model.
    actor: actorNetwork.normalizer ? actorNetwork : { ...actorNetwork, normalizer: besides(file, value) },
    critic: isDense(model, ['critic.']) ? own('critic') : null,
    std: deviations(file, model, 'model_state_dict'),
    ...rest,
  };
}

function refuseRecurrent(dict: StateDict, field: string): void {
  if (isRecurrent(dict))
    throw badInput(`${field}: belongs to a recurrent network; only fully connected networks are supported`);
}

function isRecurrent(dict: StateDict): boolean {
  return [...dict.keys()].some((key) => typeof key === 'string' && /^(memory|rnn)/.test(key));
}

/** Returns true if all layers of a network are fully connected. Play does not need the critic, so any other kind of
 *  critic is ignored. */
function isDense(dict: StateDict, prefixes: readonly string[]): boolean {
  const layers = [...dict].filter(
    ([key]) =>
      typeof key === 'string' &&
      prefixes.some((prefix) => key.startsWith(prefix) && /^\d{1,4}\.weight$/.test(key.slice(prefix.length))),
  );
  return (
    layers.length > 0 &&
    !isRecurrent(dict) &&
    layers.every(([, tensor]) => tensor instanceof TorchTensor && tensor.shape.length === 2)
  );
}

function besides(file: TorchFile, value: StateDict): Statistics | null {
  const field = 'obs_norm_state_dict';
  const dict = dictAt(value, field);
  return dict && statisticsAt(file, dict, '', field);
}

/** Reads a network.
 *  @param prefixes candidate prefixes of layers and of statistics; the first that is present is used */
function network(
  file: TorchFile,
  dict: StateDict,
  prefixes: readonly string[],
  statistics: readonly string[],
  field: string,
): SavedNetwork {
  const keys = [...dict.keys()].filter((key) => typeof key === 'string');
  const prefix = prefixes.find((wanted) => keys.some((key) => key.startsWith(wanted))) ?? prefixes[0]!;
  const layers = layersAt(file, dict, prefix, field);
  const normalizer = statistics.reduce<Statistics | null>(
    (found, wanted) => found ?? statisticsAt(file, dict, wanted, field),
    null,
  );
  if (normalizer && normalizer.mean.length !== layers[0]!.inputs)
    throw badInput(
      `${field}: its normaliser has ${normalizer.mean.length} numbers, but its first layer has ${layers[0]!.inputs} inputs`,
    );
  return { layers, normalizer };
}

/** Reads the standard deviations of the actions, under any of their names; null without them. */
function deviations(file: TorchFile, dict: StateDict, field: string): Float32Array | null {
  for (const name of ['distribution.std_param', 'std']) {
    const values = valuesAt(file, dict, name, field);
    if (values) return values;
  }
  for (const name of ['distribution.log_std_param', 'log_std']) {
    const values = valuesAt(file, dict, name, field);
    if (values) return values.map(Math.exp);
  }
  return null;
}
