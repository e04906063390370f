import { readFileSync } from 'node:fs';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { StudioError } from '../../core/errors.ts';

/** An address in the memory of the kernels, bytes. */
export type Pointer = number;

/** The exports of `assembly/kernels.ts`, which documents the parameters. */
export interface Kernels {
  packB(k: number, n: number, b: Pointer, rowBytes: number, columnBytes: number, out: Pointer): void;
  transpose(m: number, n: number, a: Pointer, lda: number, out: Pointer, ldo: number): void;
  gemm(
    m: number,
    n: number,
    k: number,
    a: Pointer,
    lda: number,
    b: Pointer,
    start: Pointer,
    c: Pointer,
    ldc: number,
  ): void;
  normalise(m: number, n: number, input: Pointer, mean: Pointer, std: Pointer, out: Pointer, ldo: number): void;
  activate(kind: number, count: number, x: Pointer): void;
  activateBack(kind: number, count: number, y: Pointer, gradient: Pointer): void;
  columnSum(m: number, n: number, a: Pointer, lda: number, out: Pointer): void;
  addPairs(
    m: number,
    count: number,
    x: Pointer,
    ldx: number,
    first: Pointer,
    second: Pointer,
    sign: Pointer,
    out: Pointer,
    ldo: number,
  ): void;
  sumsAndDifferences(m: number, half: number, x: Pointer, out: Pointer): void;
  squareSum(count: number, x: Pointer): number;
  adam(
    count: number,
    theta: Pointer,
    gradient: Pointer,
    m: Pointer,
    v: Pointer,
    scale: number,
    rate: number,
    beta1: number,
    beta2: number,
    epsilon: number,
    c1: number,
    c2: number,
  ): void;
}

/** Codes of the activations in the kernels. */
export const ACTIVATION = { elu: 0, relu: 1, tanh: 2, silu: 3 } as const;

/** Rows are padded to a multiple of this number of floats. */
const LANES = 8;
const PAGE_BYTES = 65536;
/** The first bytes stay unused, because address 0 means "absent". */
const FIRST_BYTE = 64;

/** The part of the WebAssembly API that is used here; TypeScript declares its types only for browsers. */
interface Wasm {
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly validate: (bytes: Uint8Array) => boolean;
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => WasmMemory;
  readonly Instance: new (module: WasmModule, imports: object) => { readonly exports: unknown };
}
type WasmModule = object;
interface WasmMemory {
  readonly buffer: ArrayBuffer;
}
const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: Wasm };

let compiled: WasmModule | null = null;

/** Lets Node 20 use the kernels that multiply and add in one instruction, which are nearly twice as fast. Later
 *  versions use them anyway. Results differ in the last bits between processors with and without such an instruction.
 *  Call it before the first network is created; it applies to all threads of the process. */
export function useFusedKernels(): void {
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--experimental-wasm-relaxed-simd');
}

/** Kernels with their own memory. Reserve all blocks with {@link take}, then call {@link open}; views are valid after
 *  that. */
export class KernelMemory {
  #bytes = FIRST_BYTE;
  #memory: WasmMemory | null = null;

  /** Reserves space for `floats` float32 values, rounded up to 64 bytes. */
  take(floats: number): Pointer {
    if (this.#memory !== null) throw new Error('take() must be called before open()');
    const at = this.#bytes;
    this.#bytes += Math.ceil((floats * 4) / 64) * 64;
    return at;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Allocates the memory and instantiates the kernels. @throws StudioError internal if the kernels were not built */
  open(): Kernels {
    compiled ??= compile();
    const pages = Math.ceil(this.#bytes / PAGE_BYTES);
    this.#memory = new wasm.Memory({ initial: pages, maximum: pages });
    const abort = () => {
      throw new Error('a WASM kernel of the neural network aborted');
    };
    const { exports } = new wasm.Instance(compiled, { env: { memory: this.#memory, abort } });
    return exports as Kernels;
  }

  /** Returns a view of `floats` float32 values that starts at `at`. */
  view(at: Pointer, floats: number): Float32Array {
    return new Float32Array(this.#memory!.buffer, at, floats);
  }
}

/** Returns `width` rounded up to the padding of rows, in floats. */
export function padded(width: number): number {
  return Math.ceil(width / LANES) * LANES;
}

/** Compiles the fused kernels, or the others if this V8 does not know relaxed SIMD.
 *  @throws StudioError internal if the kernels were not built */
function compile(): WasmModule {
  const fused = readModule('kernels-fused.wasm');
  return new wasm.Module(wasm.validate(fused) ? fused : readModule('kernels.wasm'));
}

function readModule(name: string): Buffer<ArrayBuffer> {
  try {
    return readFileSync(new URL(name, import.meta.url));
  } catch (error) {
    throw new StudioError('internal', 'the network kernels are not built: run npm run build', { cause: error });
  }
}
