import { ACTIVATION, KernelMemory, type Kernels, type Pointer, padded } from '../../policy/kernels/kernels.ts';
import type { NetworkPasses, TrainableNetwork, TrainableOptions } from '../../policy/training/trainable-network.ts';
import { type Fold, foldedWidth, foldOf, unfoldRows } from './fold.ts';
import { RowFolder } from './row-folder.ts';
import { type SignedPermutation, swappedHalves } from './signed-permutation.ts';

/** Number of buffers of (maxRows, widest layer): transposed and packed rows, and two of the backward pass. */
const WIDE_BUFFERS = 4;

/** Where the values of a folded row or weight are in the network's parameters: value (i, o) is ½ (θ[first[i] +
 *  columns[o]] + sign[i] · θ[second[i] + columns[o]]). */
interface ParameterPlaces {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly sign: Int8Array;
  readonly columns: Int32Array;
}

/** One of the two blocks of a folded layer: the even block maps sums to sums, the odd block differences to
 *  differences. */
interface Block {
  readonly inputs: number;
  /** padded */
  readonly outputs: number;
  /** offset of its values in a folded row, in floats: of the input and of the output */
  readonly inAt: number;
  readonly outAt: number;
  /** (inputs, outputs) weight, and the places of its values */
  readonly weight: Pointer;
  readonly places: ParameterPlaces;
  readonly packed: Pointer;
  readonly packedBack: Pointer;
  /** (inputs, outputs) */
  readonly gradient: Pointer;
}

interface Layer {
  readonly blocks: readonly [Block, Block];
  /** values in a folded row of the input and of the output, padded */
  readonly inWidth: number;
  readonly outWidth: number;
  /** (even outputs) bias of the even block, and the places of its values, one per row */
  readonly bias: Pointer;
  readonly biases: ParameterPlaces;
  /** (maxRows, inWidth) folded input of the last forward pass */
  readonly input: Pointer;
  /** (maxRows, outWidth) output before and after the activation, not folded; `raw` is 0 if the derivative does not need
   *  it, `active` is 0 in the last layer */
  readonly raw: Pointer;
  readonly active: Pointer;
}

/** The passes of a symmetric network with half of the multiplications. A symmetric layer maps sums of paired values (a
 *  + b) to sums, and differences (a − b) to differences: its weight has two blocks on the diagonal in this basis, and
 *  each block is half as wide and half as high. Only the activation needs the values themselves.
 *
 *  The gradients of a symmetric parameter and its partner are not equal, but their mean is that of the usual passes:
 *  call `NetworkSymmetry.average` before a step. */
export class SymmetricPasses implements NetworkPasses {
  readonly #network: TrainableNetwork;
  readonly #activation: number;
  readonly #layers: readonly Layer[];
  readonly #input: RowFolder;
  readonly #slopes: RowFolder;
  readonly #output: Fold;
  readonly #kernels: Kernels;
  readonly #memory: KernelMemory;
  readonly #zeros: Pointer;
  readonly #out: Pointer;
  readonly #transposed: Pointer;
  readonly #packedRows: Pointer;
  readonly #back: readonly [Pointer, Pointer];

  /** @param input @param output how both are mirrored  @throws RangeError if {@link canFold} is false */
  constructor(network: TrainableNetwork, input: SignedPermutation, output: SignedPermutation) {
    const { sizes, activation, maxRows } = network.options;
    if (!SymmetricPasses.canFold(sizes.slice(1, -1)))
      throw new RangeError('the width of each hidden layer must be even');
    this.#network = network;
    this.#activation = ACTIVATION[activation];
    const memory = new KernelMemory();
    this.#memory = memory;
    const inputFold = foldOf(input);
    this.#output = foldOf(output);
    this.#input = new RowFolder(memory, inputFold, maxRows);
    this.#slopes = new RowFolder(memory, this.#output, maxRows);
    const { layers } = network.layout;
    const folds = [inputFold, ...sizes.slice(1, -1).map((width) => foldOf(swappedHalves(width))), this.#output];
    this.#layers = layers.map((place, index) => {
      const last = index === layers.length - 1;
      const [from, to] = [folds[index]!, folds[index + 1]!];
      const [inWidth, outWidth] = [foldedWidth(from), foldedWidth(to)];
      return {
        blocks: [takeBlock(memory, place, from, to, 'even'), takeBlock(memory, place, from, to, 'odd')],
        ...{ inWidth, outWidth },
        bias: memory.take(padded(to.even.length)),
        biases: {
          first: to.even.first.map((o) => place.bias + o),
          second: to.even.second.map((o) => place.bias + o),
          sign: to.even.sign.map(signOfPlace),
          columns: Int32Array.of(0),
        },
        input: memory.take(maxRows * inWidth),
        raw: activation === 'silu' && !last ? memory.take(maxRows * outWidth) : 0,
        active: last ? 0 : memory.take(maxRows * outWidth),
      };
    });
    const widest = Math.max(...folds.map(foldedWidth));
    this.#zeros = memory.take(widest);
    this.#out = memory.take(maxRows * foldedWidth(this.#output));
    this.#transposed = memory.take(maxRows * widest);
    this.#packedRows = memory.take(maxRows * widest);
    this.#back = [memory.take(maxRows * widest), memory.take(maxRows * widest)];
    this.#kernels = memory.open();
    this.#input.open(this.#kernels);
    this.#slopes.open(this.#kernels);
    this.repack();
  }

  /** Returns whether hidden layers of these widths can be folded: their units must form pairs. */
  static canFold(hidden: readonly number[]): boolean {
    return hidden.every((width) => width % 2 === 0);
  }

  /** Returns about how many floats the passes take per row of `maxRows`. */
  static floatsPerRow({ sizes, activation }: Pick<TrainableOptions, 'sizes' | 'activation'>): number {
    const widths = sizes.map((width) => 2 * padded(Math.ceil(width / 2)));
    const hidden = widths.slice(1, -1).reduce((sum, width) => sum + width, 0);
    const all = widths.reduce((sum, width) => sum + width, 0);
    const toFold = sizes[0]! + sizes.at(-1)!;
    return all + (activation === 'silu' ? 2 : 1) * hidden + WIDE_BUFFERS * Math.max(...widths) + toFold;
  }

  repack(): void {
    const kernels = this.#kernels;
    for (const { blocks, bias, biases } of this.#layers) {
      this.#read(biases, bias, 1);
      for (const { inputs, outputs, weight, places, packed, packedBack } of blocks) {
        this.#read(places, weight, outputs);
        kernels.packB(inputs, outputs, weight, outputs * 4, 4, packed);
        kernels.packB(outputs, inputs, weight, 4, outputs * 4, packedBack);
      }
    }
  }

  forward(input: Float32Array, out: Float32Array, n: number): void {
    const kernels = this.#kernels;
    const layers = this.#layers;
    this.#input.fold(input, layers[0]!.input, n);
    for (const [index, { blocks, inWidth, outWidth, bias, input: from, raw, active }] of layers.entries()) {
      const to = active === 0 ? this.#out : active;
      for (const [k, { inputs, outputs, inAt, outAt, packed }] of blocks.entries()) {
        const start = k === 0 ? bias : this.#zeros;
        kernels.gemm(n, outputs, inputs, from + inAt * 4, inWidth * 4, packed, start, to + outAt * 4, outWidth * 4);
      }
      if (active === 0) break;
      kernels.sumsAndDifferences(n, outWidth / 2, active, active);
      if (raw !== 0) this.#floats(raw, n * outWidth).set(this.#floats(active, n * outWidth));
      kernels.activate(this.#activation, n * outWidth, active);
      kernels.sumsAndDifferences(n, outWidth / 2, active, layers[index + 1]!.input);
    }
    unfoldRows(this.#floats(this.#out, n * layers.at(-1)!.outWidth), this.#output, out, n);
  }

  backward(slopes: Float32Array, n: number): void {
    const kernels = this.#kernels;
    const layers = this.#layers;
    let [given, next] = this.#back;
    this.#floats(given, n * layers.at(-1)!.outWidth).fill(0);
    this.#slopes.fold(slopes, given, n);
    for (let index = layers.length - 1; index >= 0; index--) {
      this.#addGradients(layers[index]!, given, n);
      if (index === 0) return;
      const { blocks, inWidth, outWidth } = layers[index]!;
      for (const { inputs, outputs, inAt, outAt, packedBack } of blocks)
        kernels.gemm(
          n,
          padded(inputs),
          outputs,
          given + outAt * 4,
          outWidth * 4,
          packedBack,
          this.#zeros,
          next + inAt * 4,
          inWidth * 4,
        );
      const { raw, active } = layers[index - 1]!;
      kernels.sumsAndDifferences(n, inWidth / 2, next, next);
      kernels.activateBack(this.#activation, n * inWidth, raw === 0 ? active : raw, next);
      kernels.sumsAndDifferences(n, inWidth / 2, next, next);
      [given, next] = [next, given];
    }
  }

  /** Adds the gradients of one layer. @param given (n, outWidth) folded gradient with respect to its output */
  #addGradients({ blocks, biases, inWidth, outWidth, input }: Layer, given: Pointer, n: number): void {
    const kernels = this.#kernels;
    kernels.columnSum(n, padded(biases.first.length), given, outWidth * 4, this.#packedRows);
    this.#add(biases, this.#packedRows, 1);
    for (const { inputs, outputs, inAt, outAt, places, gradient } of blocks) {
      this.#floats(gradient, inputs * outputs).fill(0);
      kernels.transpose(n, inputs, input + inAt * 4, inWidth * 4, this.#transposed, n * 4);
      kernels.packB(n, outputs, given + outAt * 4, outWidth * 4, 4, this.#packedRows);
      kernels.gemm(inputs, outputs, n, this.#transposed, n * 4, this.#packedRows, 0, gradient, outputs * 4);
      this.#add(places, gradient, outputs);
    }
  }

  /** Reads folded parameters from the network. @param out (rows, width) */
  #read({ first, second, sign, columns }: ParameterPlaces, out: Pointer, width: number): void {
    const { parameters } = this.#network;
    const folded = this.#floats(out, first.length * width);
    for (let i = 0; i < first.length; i++) {
      const [a, b, s, at] = [first[i]!, second[i]!, sign[i]!, i * width];
      for (let o = 0; o < columns.length; o++) {
        const column = columns[o]!;
        folded[at + o] = 0.5 * (parameters[a + column]! + s * parameters[b + column]!);
      }
    }
  }

  /** Adds gradients of folded parameters to those of the network, by the chain rule. @param from (rows, width) */
  #add({ first, second, sign, columns }: ParameterPlaces, from: Pointer, width: number): void {
    const { gradients } = this.#network;
    const folded = this.#floats(from, first.length * width);
    for (let i = 0; i < first.length; i++) {
      const [a, b, s, at] = [first[i]!, second[i]!, sign[i]!, i * width];
      for (let o = 0; o < columns.length; o++) {
        const column = columns[o]!;
        const half = 0.5 * folded[at + o]!;
        gradients[a + column]! += half;
        gradients[b + column]! += s * half;
      }
    }
  }

  #floats(at: Pointer, floats: number): Float32Array {
    return this.#memory.view(at, floats);
  }
}

/** Returns the sign with which the second of a pair is in a folded parameter. A parameter without a pair is its own
 *  second. */
function signOfPlace(sign: number): number {
  return sign === 0 ? 1 : sign;
}

/** Reserves the memory of one block and finds its weights among the network's parameters. */
function takeBlock(
  memory: KernelMemory,
  { weight, width: stride }: TrainableNetwork['layout']['layers'][number],
  from: Fold,
  to: Fold,
  part: 'even' | 'odd',
): Block {
  const [ins, outs] = [from[part], to[part]];
  const [inputs, outputs] = [ins.length, padded(outs.length)];
  const rowOf = (input: number) => weight + input * stride;
  return {
    ...{ inputs, outputs },
    inAt: part === 'even' ? 0 : padded(from.even.length),
    outAt: part === 'even' ? 0 : padded(to.even.length),
    places: {
      first: ins.first.map(rowOf),
      second: ins.second.map(rowOf),
      sign: ins.sign.map(signOfPlace),
      columns: outs.first,
    },
    weight: memory.take(inputs * outputs),
    packed: memory.take(inputs * outputs),
    packedBack: memory.take(outputs * padded(inputs)),
    gradient: memory.take(inputs * outputs),
  };
}
