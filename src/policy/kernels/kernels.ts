import { readFileSync } from 'node:fs';
import { StudioError } from '../../core/errors.ts';

/** A place in the kernels' memory, in bytes. */
export type Pointer = number;

/** What `assembly/kernels.ts` exports; meaning and layout of the parameters are written there. */
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

/** Numbers that the kernels know activations by. */
export const ACTIVATION = { elu: 0, relu: 1, tanh: 2, silu: 3 } as const;

/** Floats that a row is padded to. */
const LANES = 8;
const PAGE_BYTES = 65536;
/** The first bytes stay unused: 0 means none. */
const FIRST_BYTE = 64;

/** The part of the WebAssembly API that is used here: its types come with those of browsers alone. */
interface Wasm {
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => WasmMemory;
  readonly Instance: new (module: WasmModule, imports: object) => { readonly exports: unknown };
}
type WasmModule = object;
interface WasmMemory {
  readonly buffer: ArrayBuffer;
}
const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: Wasm };

let compiled: WasmModule | null = null;

/** Kernels with a memory of their own. Take all blocks first, then {@link open}: views stay valid from there on. */
export class KernelMemory {
  #bytes = FIRST_BYTE;
  #memory: WasmMemory | null = null;

  /** Place for `floats` float32, a multiple of 64 bytes. */
  take(floats: number): Pointer {
    if (this.#memory !== null) throw new Error('the memory of the kernels is laid out already');
    const at = this.#bytes;
    this.#bytes += Math.ceil((floats * 4) / 64) * 64;
    return at;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @throws internal where the kernels were not built */
  open(): Kernels {
    compiled ??= new wasm.Module(readModule());
    const pages = Math.ceil(this.#bytes / PAGE_BYTES);
    this.#memory = new wasm.Memory({ initial: pages, maximum: pages });
    const abort = () => {
      throw new Error('a network kernel stopped');
    };
    const { exports } = new wasm.Instance(compiled, { env: { memory: this.#memory, abort } });
    return exports as Kernels;
  }

  /** `floats` float32 from `at` on. */
  view(at: Pointer, floats: number): Float32Array {
    return new Float32Array(this.#memory!.buffer, at, floats);
  }
}

/** Floats of a row of `width` with its padding. */
export function padded(width: number): number {
  return Math.ceil(width / LANES) * LANES;
}

function readModule(): Buffer<ArrayBuffer> {
  const url = new URL('./kernels.wasm', import.meta.url);
  try {
    return readFileSync(url);
  } catch (error) {
    throw new StudioError('internal', 'the network kernels are not built: run npm run build', { cause: error });
  }
}
