import { ACTIVATION, KernelMemory, type Kernels, type Pointer, padded } from '../kernels/kernels.ts';
import type { Activation, DenseLayer } from '../policy.ts';

/** Constants of Adam: torch's defaults. */
const BETA1 = 0.9;
const BETA2 = 0.999;
const EPSILON = 1e-8;
/** Number of buffers of (maxRows, widest layer): transposed and packed rows, and two of the backward pass. */
const WIDE_BUFFERS = 4;

export interface TrainableOptions {
  /** widths of the input and of each layer's output: [inputs, …hidden, outputs] */
  readonly sizes: readonly number[];
  readonly activation: Activation;
  /** maximum number of rows per call */
  readonly maxRows: number;
  /** number of standard deviations that are trained with the layers, for a Gaussian policy; default 0 */
  readonly stdDim?: number;
}

/** Another way to compute a network's passes. It reads the network's parameters and adds to its gradients. Each
 *  implementation states which parameters it accepts, and what must be done to the gradients before a step. */
export interface NetworkPasses {
  repack(): void;
  forward(input: Float32Array, out: Float32Array, n: number): void;
  backward(slopes: Float32Array, n: number): void;
}

interface Layer {
  readonly inputs: number;
  readonly outputs: number;
  /** offset of the weight (inputs, padded outputs) in `parameters`, in floats; `bias` is the offset of (padded
   *  outputs) */
  readonly weight: number;
  readonly bias: number;
  /** weight packed for the forward pass; `packedBack` holds the transposed weight for the backward pass */
  readonly packed: Pointer;
  readonly packedBack: Pointer;
  /** (maxRows, padded inputs) input of the last forward pass */
  readonly input: Pointer;
  /** (maxRows, padded outputs) values before the activation; 0 if the derivative does not need them */
  readonly raw: Pointer;
}

/** A trainable, fully connected network: forward pass, backward pass and Adam, on kernels with their own memory.
 *
 *  Parameters, gradients and Adam's moments are flat arrays in the same order: for each layer its weight (inputs,
 *  outputs) with rows padded to 8, then its bias; at the end the standard deviations. Padding is 0 and stays 0. */
export class TrainableNetwork {
  readonly inputs: number;
  readonly outputs: number;
  /** (parameterCount) the parameters themselves, not a copy; call {@link repack} after writing */
  readonly parameters: Float32Array;
  /** (parameterCount) {@link backward} adds to them */
  readonly gradients: Float32Array;
  /** first and second moments of Adam, for checkpoints */
  readonly moments: readonly [Float32Array, Float32Array];
  /** (stdDim) views of the end of `parameters`, `gradients` and `moments` */
  readonly std: Float32Array;
  readonly stdGradients: Float32Array;
  readonly stdMoments: readonly [Float32Array, Float32Array];
  steps = 0;
  readonly options: TrainableOptions;
  #passes: NetworkPasses | null = null;
  readonly #layers: readonly Layer[];
  /** offset of the standard deviations in the flat arrays, in floats */
  readonly #stdAt: number;
  readonly #kernels: Kernels;
  readonly #theta: Pointer;
  readonly #gradient: Pointer;
  readonly #m: Pointer;
  readonly #v: Pointer;
  readonly #out: Pointer;
  readonly #transposed: Pointer;
  readonly #packedRows: Pointer;
  readonly #back: readonly [Pointer, Pointer];
  readonly #inView: Float32Array;
  readonly #outView: Float32Array;
  readonly #backView: Float32Array;

  constructor(options: TrainableOptions) {
    this.options = options;
    const { sizes, maxRows, activation, stdDim = 0 } = options;
    this.inputs = sizes[0]!;
    this.outputs = sizes.at(-1)!;
    const memory = new KernelMemory();
    let count = 0;
    const take = (floats: number) => {
      const at = count;
      count += floats;
      return at;
    };
    this.#layers = sizes.slice(1).map((outputs, index) => {
      const inputs = sizes[index]!;
      const width = padded(outputs);
      const last = index === sizes.length - 2;
      return {
        inputs,
        outputs,
        weight: take(inputs * width),
        bias: take(width),
        packed: memory.take(inputs * width),
        packedBack: memory.take(width * padded(inputs)),
        input: memory.take(maxRows * padded(inputs)),
        raw: activation === 'silu' && !last ? memory.take(maxRows * width) : 0,
      };
    });
    const stdAt = take(padded(stdDim));
    const widest = Math.max(...sizes.map(padded));
    [this.#theta, this.#gradient, this.#m, this.#v] = [count, count, count, count].map((floats) =>
      memory.take(floats),
    ) as [Pointer, Pointer, Pointer, Pointer];
    this.#out = memory.take(maxRows * padded(this.outputs));
    this.#transposed = memory.take(maxRows * widest);
    this.#packedRows = memory.take(maxRows * widest);
    this.#back = [memory.take(maxRows * widest), memory.take(maxRows * widest)];
    this.#kernels = memory.open();
    this.parameters = memory.view(this.#theta, count);
    this.gradients = memory.view(this.#gradient, count);
    this.moments = [memory.view(this.#m, count), memory.view(this.#v, count)];
    this.#stdAt = stdAt;
    this.std = this.stdOf(this.parameters);
    this.stdGradients = this.stdOf(this.gradients);
    this.stdMoments = [this.stdOf(this.moments[0]), this.stdOf(this.moments[1])];
    this.#inView = memory.view(this.#layers[0]!.input, maxRows * padded(this.inputs));
    this.#outView = memory.view(this.#out, maxRows * padded(this.outputs));
    this.#backView = memory.view(this.#back[0], maxRows * widest);
  }

  /** Returns the number of floats that a network takes per row of `maxRows`: inputs of all layers, values before their
   *  activation where the derivative needs them, the output, and the buffers of the backward pass. */
  static floatsPerRow({ sizes, activation }: Pick<TrainableOptions, 'sizes' | 'activation'>): number {
    const widths = sizes.map(padded);
    const layers = widths.reduce((sum, width) => sum + width, 0);
    const raw = activation === 'silu' ? widths.slice(1, -1).reduce((sum, width) => sum + width, 0) : 0;
    return layers + raw + WIDE_BUFFERS * Math.max(...widths);
  }

  /** Places in the flat arrays, in floats: of each layer, weight (i, o) is at weight + i · width + o; standard
   *  deviations begin at `std`. */
  get layout() {
    const layers = this.#layers.map(({ inputs, outputs, weight, bias }) => ({
      ...{ inputs, outputs, weight, bias },
      width: padded(outputs),
    }));
    return { layers, std: this.#stdAt };
  }

  /** Sets the parameters of all layers. Other passes than the usual ones must accept them. */
  load(layers: readonly DenseLayer[]): void {
    for (const [index, { weight, bias }] of layers.entries()) {
      const { inputs, outputs, weight: at, bias: biasAt } = this.#layers[index]!;
      const width = padded(outputs);
      for (let o = 0; o < outputs; o++) {
        for (let i = 0; i < inputs; i++) this.parameters[at + i * width + o] = weight[o * inputs + i]!;
        this.parameters[biasAt + o] = bias[o]!;
      }
    }
    this.repack();
  }

  /** Returns the standard deviations (stdDim) in an array with the order of `parameters`, not a copy. */
  stdOf(values: Float32Array): Float32Array {
    return values.subarray(this.#stdAt, this.#stdAt + (this.options.stdDim ?? 0));
  }

  /** Copies the layers, or their gradients, Adam moments or means. @param of an array with the order of `parameters` */
  layers(of: Float32Array = this.parameters): DenseLayer[] {
    return this.#layers.map(({ inputs, outputs, weight: at, bias: biasAt }) => {
      const width = padded(outputs);
      const weight = new Float32Array(outputs * inputs);
      for (let o = 0; o < outputs; o++) {
        for (let i = 0; i < inputs; i++) weight[o * inputs + i] = of[at + i * width + o]!;
      }
      return { inputs, outputs, weight, bias: of.slice(biasAt, biasAt + outputs) };
    });
  }

  /** Writes layers, in the form returned by {@link layers}, into one of this network's flat arrays. */
  restore(of: Float32Array, layers: readonly DenseLayer[]): void {
    for (const [index, { weight, bias }] of layers.entries()) {
      const { inputs, outputs, weight: at, bias: biasAt } = this.#layers[index]!;
      for (let o = 0; o < outputs; o++) {
        for (let i = 0; i < inputs; i++) of[at + i * padded(outputs) + o] = weight[o * inputs + i]!;
      }
      of.set(bias, biasAt);
    }
  }

  /** Computes the passes in another way. @param passes null: as usual */
  usePasses(passes: NetworkPasses | null): void {
    this.#passes = passes;
    this.repack();
  }

  /** Re-packs the weights; call after writing to `parameters`. */
  repack(): void {
    if (this.#passes) {
      this.#passes.repack();
      return;
    }
    const kernels = this.#kernels;
    for (const { inputs, outputs, weight, packed, packedBack } of this.#layers) {
      const row = padded(outputs) * 4;
      const at = this.#theta + weight * 4;
      kernels.packB(inputs, padded(outputs), at, row, 4, packed);
      kernels.packB(padded(outputs), inputs, at, 4, row, packedBack);
    }
  }

  /** Computes `n` rows and keeps the intermediate values for {@link backward}. The result of a row does not depend on
   *  the other rows. @param input (n, inputs) normalised  @param out (n, outputs)  @throws RangeError above
   *  `maxRows` */
  forward(input: Float32Array, out: Float32Array, n: number): void {
    const { maxRows } = this.options;
    if (n > maxRows) throw new RangeError(`${n} rows exceed the limit of ${maxRows}`);
    if (this.#passes) {
      this.#passes.forward(input, out, n);
      return;
    }
    copyRows(input, this.inputs, this.#inView, padded(this.inputs), n);
    this.#forward(n);
    copyRows(this.#outView, padded(this.outputs), out, this.outputs, n);
  }

  /** Adds the gradients of the last {@link forward} pass to `gradients`, in the form that the chosen passes document.
   *  @param slopes (n, outputs) gradient of the loss with respect to the outputs */
  backward(slopes: Float32Array, n: number): void {
    if (this.#passes) {
      this.#passes.backward(slopes, n);
      return;
    }
    const kernels = this.#kernels;
    const kind = ACTIVATION[this.options.activation];
    let [given, next] = this.#back;
    this.#backView.fill(0, 0, n * padded(this.outputs));
    copyRows(slopes, this.outputs, this.#backView, padded(this.outputs), n);
    for (let index = this.#layers.length - 1; index >= 0; index--) {
      const { inputs, outputs, weight, bias, packedBack, input } = this.#layers[index]!;
      const width = padded(outputs);
      const inWidth = padded(inputs);
      // Bias gradient: column sums, computed in a buffer that is unused at this point, then added.
      kernels.columnSum(n, width, given, width * 4, this.#packedRows);
      this.#addTo(this.#gradient + bias * 4, this.#packedRows, width);
      // Weight gradient: transposed inputs times slopes.
      kernels.transpose(n, inputs, input, inWidth * 4, this.#transposed, n * 4);
      kernels.packB(n, width, given, width * 4, 4, this.#packedRows);
      kernels.gemm(
        inputs,
        width,
        n,
        this.#transposed,
        n * 4,
        this.#packedRows,
        0,
        this.#gradient + weight * 4,
        width * 4,
      );
      if (index === 0) return;
      // Input gradient: slopes times transposed weight, then the derivative of the previous layer's activation.
      kernels.gemm(n, inWidth, width, given, width * 4, packedBack, this.#zeros(inWidth), next, inWidth * 4);
      const { raw } = this.#layers[index - 1]!;
      kernels.activateBack(kind, n * inWidth, raw === 0 ? input : raw, next);
      [given, next] = [next, given];
    }
  }

  zeroGradients(): void {
    this.gradients.fill(0);
  }

  /** Returns the Euclidean norm of the gradients. */
  get gradientNorm(): number {
    return Math.sqrt(this.#kernels.squareSum(this.gradients.length, this.#gradient));
  }

  /** Takes one step of Adam (Kingma & Ba 2015). @param scale multiplies the gradients, for clipping */
  step(rate: number, scale = 1): void {
    this.steps += 1;
    this.#kernels.adam(
      this.parameters.length,
      this.#theta,
      this.#gradient,
      this.#m,
      this.#v,
      scale,
      rate,
      BETA1,
      BETA2,
      EPSILON,
      1 - BETA1 ** this.steps,
      1 - BETA2 ** this.steps,
    );
    this.repack();
  }

  #forward(n: number): void {
    const kernels = this.#kernels;
    const kind = ACTIVATION[this.options.activation];
    for (const [index, { inputs, outputs, bias, packed, input, raw }] of this.#layers.entries()) {
      const width = padded(outputs);
      const last = index === this.#layers.length - 1;
      const to = last ? this.#out : this.#layers[index + 1]!.input;
      kernels.gemm(n, width, inputs, input, padded(inputs) * 4, packed, this.#theta + bias * 4, to, width * 4);
      if (last) return;
      if (raw !== 0) this.#copy(to, raw, n * width);
      kernels.activate(kind, n * width, to);
    }
  }

  /** Returns a row of zeros, the initial value of sums. */
  #zeros(floats: number): Pointer {
    this.#floatsAt(this.#transposed, floats).fill(0);
    return this.#transposed;
  }

  #addTo(target: Pointer, source: Pointer, floats: number): void {
    const [to, from] = [this.#floatsAt(target, floats), this.#floatsAt(source, floats)];
    for (let k = 0; k < floats; k++) to[k]! += from[k]!;
  }

  #copy(from: Pointer, to: Pointer, floats: number): void {
    this.#floatsAt(to, floats).set(this.#floatsAt(from, floats));
  }

  #floatsAt(at: Pointer, floats: number): Float32Array {
    return new Float32Array(this.parameters.buffer, at, floats);
  }
}

/** Copies `n` rows between arrays of different strides. Each copied row has the width of the smaller stride. */
function copyRows(from: Float32Array, fromStride: number, to: Float32Array, toStride: number, n: number): void {
  if (fromStride === toStride) {
    to.set(from.subarray(0, n * fromStride));
    return;
  }
  const width = Math.min(fromStride, toStride);
  for (let row = 0; row < n; row++) {
    const [a, b] = [row * fromStride, row * toStride];
    for (let k = 0; k < width; k++) to[b + k] = from[a + k]!;
  }
}
