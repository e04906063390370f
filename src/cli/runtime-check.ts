import os from 'node:os';
import process from 'node:process';
import v8 from 'node:v8';
import { StudioError } from '../core/errors.ts';
import { openFileLimit } from '../core/open-files.ts';

/** Least memory of the machine. An idle service needs 250 MB; with less memory than this, the system would kill it. */
const MIN_MEMORY_MIB = 400;
/** V8 aborts if its heap is too small for the code of the service. The limit includes the young generation: 48 MiB in
 *  Node 20, 96 MiB in Node 26. */
const MIN_HEAP_MIB = 128;
/** Least limit on open files. A start has up to 90 files open at once: Node reads the modules of an import together. */
const MIN_OPEN_FILES = 128;
const MIB = 2 ** 20;

const RAISE_OPEN_FILES = 'Raise it with ulimit -n 1024 or, for a service of systemd, with LimitNOFILE=1024';

/** The part of the WebAssembly API that is used here. TypeScript has its types only in the library for browsers. */
interface Wasm {
  readonly Memory: new (pages: { readonly initial: number }) => object;
  validate(module: Uint8Array): boolean;
}

/** A module whose only function is `i8x16.popcnt(i8x16.splat(0))`. */
const SIMD_MODULE = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
);

/** Checks Node and the machine before the service is loaded.
 *  @throws unavailable naming the missing feature and the remedy */
export function checkRuntime(): void {
  const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly?: Wasm };
  if (wasm === undefined) fail('WebAssembly is missing. Start Node without --jitless (see NODE_OPTIONS)');
  if (typeof SharedArrayBuffer === 'undefined')
    fail('SharedArrayBuffer is missing. Start Node without --enable-sharedarraybuffer-per-context (see NODE_OPTIONS)');
  if (!wasm.validate(SIMD_MODULE))
    fail(
      'WebAssembly has no SIMD here. It needs a processor with SSE4.1 or NEON, and Node without flags that disable them',
    );
  const heap = Math.floor(v8.getHeapStatistics().heap_size_limit / MIB);
  if (heap < MIN_HEAP_MIB)
    fail(
      `the heap of Node is limited to ${heap} MiB, at least ${MIN_HEAP_MIB} are needed. Raise --max-old-space-size (see NODE_OPTIONS)`,
    );
  const memory = Math.floor(memoryBytes() / MIB);
  if (memory < MIN_MEMORY_MIB)
    fail(
      `the machine or its container has ${memory} MiB of memory, at least ${MIN_MEMORY_MIB} are needed. Give it more`,
    );
  const openFiles = openFileLimit();
  if (openFiles !== null && openFiles < MIN_OPEN_FILES)
    fail(`the limit on open files is ${openFiles}, at least ${MIN_OPEN_FILES} are needed. ${RAISE_OPEN_FILES}`);
  try {
    new wasm.Memory({ initial: 1 });
  } catch {
    fail('WebAssembly gets no memory: the address space of the process is limited. Start it after ulimit -v unlimited');
  }
}

/** Replaces the error of a start that reached the limit on open files by a sentence with the remedy. Returns any other
 *  error unchanged. */
export function startError(error: unknown): unknown {
  if ((error as NodeJS.ErrnoException | null)?.code !== 'EMFILE') return error;
  const found = openFileLimit();
  const limit = found === null ? '' : `, which is ${found}`;
  return new StudioError(
    'unavailable',
    `the start has reached the limit on open files${limit}; ${MIN_OPEN_FILES} are enough for a start. ${RAISE_OPEN_FILES}.`,
    { cause: error },
  );
}

function memoryBytes(): number {
  // 0 without a limit; a huge number if only the system limits the memory.
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, os.totalmem()) : os.totalmem();
}

function fail(sentence: string): never {
  throw new StudioError('unavailable', `${sentence}.`);
}
