import { messageOf, StudioError } from '../core/errors.ts';
import { checkNpySize, isPickled, type NpyArray, npyParts, parseNpy } from './npy.ts';
import { NPY_HEAD_BYTES, type NpyHeader, readNpyHeader } from './npy-header.ts';
import { checkPickledBytes, readPickledTexts } from './pickle/pickled-texts.ts';
import { readZip, type ZipLimits } from './zip.ts';
import { joinParts, zipParts } from './zip-write.ts';

const ENDING = '.npy';

/** Arrays of a `.npz` file by name, without the ending `.npy`. */
export interface Npz {
  readonly arrays: ReadonlyMap<string, NpyArray>;
  /** one sentence for each array that was skipped, with the reason */
  readonly warnings: readonly string[];
}

/** Reads arrays of a `.npz` file, compressed or not. An array of Python objects is read if all objects are texts;
 *  otherwise it is skipped with a warning. No code of its pickle is run.
 *  @param wanted names of the arrays; all if absent  @throws bad_input naming the array */
export async function readNpz(
  source: string | Uint8Array,
  wanted?: ReadonlySet<string>,
  limits?: ZipLimits,
): Promise<Npz> {
  const entries = await readZip(source, (entry) => (isWanted(entry, wanted) ? Number.POSITIVE_INFINITY : 0), {
    ...limits,
    check: checkHead,
  });
  const arrays = new Map<string, NpyArray>();
  const warnings: string[] = [];
  for (const [entry, { bytes }] of entries) {
    const name = nameOf(entry);
    inArray(name, () => {
      const header = readNpyHeader(bytes);
      if (!isPickled(header)) {
        arrays.set(name, parseNpy(bytes));
        return;
      }
      try {
        const data = readPickledTexts(bytes.subarray(header.dataStart), header.count);
        arrays.set(name, { dtype: 'U', shape: header.shape, data });
      } catch (error) {
        if (!(error instanceof StudioError)) throw error;
        warnings.push(
          `"${name}" contains pickled Python objects and was skipped: ${messageOf(error)}. Save it as plain text or numbers.`,
        );
      }
    });
  }
  return { arrays, warnings };
}

/** Checks the size of a large entry against the header of its array. @throws bad_input naming the array */
function checkHead(entry: string, head: Uint8Array, size: number): void {
  inArray(nameOf(entry), () => {
    const header = readNpyHeader(head);
    if (isPickled(header)) checkPickledBytes(size);
    else checkNpySize(header, size);
  });
}

function nameOf(entry: string): string {
  return entry.slice(0, -ENDING.length);
}

/** A `.npy` entry of a zip file whose header was read. */
export interface NpzHead extends NpyHeader {
  /** bytes of the entry, including the header */
  readonly size: number;
  /** first bytes of the entry; all bytes of a small entry */
  readonly bytes: Uint8Array;
}

/** Reads only the headers of the arrays, a few kilobytes each. @throws bad_input naming the array */
export async function readNpzHeads(
  source: string | Uint8Array,
  wanted?: ReadonlySet<string>,
): Promise<Map<string, NpzHead>> {
  const entries = await readZip(source, (entry) => (isWanted(entry, wanted) ? NPY_HEAD_BYTES : 0));
  const heads = new Map<string, NpzHead>();
  for (const [entry, { bytes, size }] of entries) {
    const name = nameOf(entry);
    inArray(name, () => heads.set(name, { ...readNpyHeader(bytes), size, bytes }));
  }
  return heads;
}

/** Formats a `.npz` file (uncompressed, `.npy` version 1), which numpy reads without pickles. Equal arrays yield equal
 *  bytes. */
export function writeNpz(arrays: Iterable<readonly [name: string, array: NpyArray]>): Uint8Array<ArrayBuffer> {
  return joinParts(npzParts(arrays));
}

/** Formats a `.npz` file as parts to write in order, without copying the arrays.
 *  @throws RangeError beyond 4 GiB */
export function npzParts(arrays: Iterable<readonly [name: string, array: NpyArray]>): Uint8Array[] {
  return zipParts(Array.from(arrays, ([name, array]) => [`${name}${ENDING}`, npyParts(array)] as const));
}

function isWanted(entry: string, wanted: ReadonlySet<string> | undefined): boolean {
  return entry.endsWith(ENDING) && (wanted === undefined || wanted.has(nameOf(entry)));
}

/** Prefixes errors about an array with its name. */
export function inArray(name: string, read: () => void): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    throw new StudioError(error.code, `"${name}": ${error.message}`, { cause: error });
  }
}
