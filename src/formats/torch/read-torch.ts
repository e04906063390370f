import { badInput } from '../../core/errors.ts';
import type { PickleValue } from '../pickle/pickle-values.ts';
import { readPickle } from '../pickle/read-pickle.ts';
import { readZip } from '../zip.ts';
import { type TorchTensor, tensorValues } from './tensor.ts';
import { TORCH_DIALECT } from './torch-dialect.ts';

/** Networks of policies take a few MB; with their optimizer three times that. */
const LIMITS = { maxBytes: 2 ** 30, maxEntries: 4096 };
const ZIP = 0x04034b50;

/** A checkpoint that is open. */
export interface TorchFile {
  /** what was saved; tensors are {@link TorchTensor}s */
  readonly value: PickleValue;
  /** @throws bad_input where its bytes are not in the file */
  values(tensor: TorchTensor): Float32Array;
}

/** Reads what `torch.save` wrote (the zip format of torch 1.6 and later). Nothing of it is run: a pickle that refers to
 *  anything beside tensors, numpy arrays and plain values is refused by name.
 *  @throws bad_input */
export async function readTorch(content: Uint8Array): Promise<TorchFile> {
  if (content.length < 4 || new DataView(content.buffer, content.byteOffset).getUint32(0, true) !== ZIP)
    throw badInput('not a checkpoint: torch.save writes a zip file, this is none (older than torch 1.6, or cut off)');
  const entries = await readZip(content, () => Number.POSITIVE_INFINITY, LIMITS);
  const pickle = [...entries.keys()].find((name) => /^[^/]+\/data\.pkl$/.test(name));
  if (pickle === undefined) throw badInput('not a checkpoint: the zip file holds no data.pkl');
  const root = pickle.slice(0, -'data.pkl'.length);
  const order = entries.get(`${root}byteorder`);
  if (order && new TextDecoder().decode(order.bytes).trim() !== 'little')
    throw badInput('was written on a big-endian machine, which is not read');
  return {
    value: readPickle(entries.get(pickle)!.bytes, TORCH_DIALECT),
    values(tensor) {
      const entry = entries.get(`${root}data/${tensor.storage.key}`);
      if (!entry) throw badInput(`lacks the numbers "data/${tensor.storage.key}": it is damaged`);
      return tensorValues(tensor, entry.bytes);
    },
  };
}
