import { closeSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { badInput, StudioError } from '../../core/errors.ts';
import { READ_FLAGS, refuseUnreadable } from '../../core/files/bounded-file.ts';
import { quoteName } from '../../core/files/names.ts';
import { isInside } from '../../core/files/path-guard.ts';
import type { OnnxModel } from './onnx-model.ts';
import { readOnnx } from './read-onnx.ts';
import type { ExternalFile } from './read-tensor.ts';

/** Maximum size of the file, bytes. A policy has a few MB; ten minutes of embedded motion have 100 MB. */
const MAX_BYTES = 1 << 28;

/** Reads a model. Weights, also those in external files, are read on first use. Blocks the thread.
 *  @throws StudioError bad_input naming the file; the system's error if the model does not exist */
export function readOnnxFile(file: string): OnnxModel {
  const name = path.basename(file);
  const folder = path.dirname(file);
  checkedSize(file, name);
  try {
    refuseUnreadable(statSync(file));
  } catch (error) {
    throw inFile(name, error);
  }
  const content = readFileSync(file);
  try {
    return readOnnx(content, (location) => fileBeside(folder, location));
  } catch (error) {
    throw inFile(name, error);
  }
}

/** Adds the name of the file to an error. */
export function inFile(name: string, error: unknown): unknown {
  return error instanceof StudioError
    ? new StudioError(error.code, `${name}: ${error.message}`, { cause: error })
    : error;
}

/** Resolves the file name of external weights. The model file is not trusted: the name must be a plain file name, so
 *  that the file is in the model's folder. */
function fileBeside(folder: string, location: string): ExternalFile {
  const plain = location !== '' && !/[/\\\0]/.test(location) && location !== '.' && location !== '..';
  if (!plain) throw badInput(`its weights must be in a file in the same folder, not in ${quoteName(location)}`);
  let real: string;
  try {
    real = realpathSync(path.join(folder, location));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw badInput(`its weights are in ${quoteName(location)}, which is missing. Copy that file into the same folder.`);
  }
  if (!isInside(realpathSync(folder), real))
    throw badInput(`the file of its weights, ${quoteName(location)}, is outside of its folder`);
  return { size: checkedSize(real, location), read: (offset, length) => readRange(real, offset, length) };
}

/** Returns the size of a file, bytes. @throws StudioError bad_input if it is not a file or is too large */
function checkedSize(file: string, name: string): number {
  const stats = statSync(file);
  if (!stats.isFile()) throw badInput(`${name}: is not a file`);
  if (stats.size > MAX_BYTES)
    throw badInput(`${name}: not a usable policy file: ${stats.size} bytes, limit ${MAX_BYTES >> 20} MiB`);
  return stats.size;
}

/** Reads a range of a file. Reading only the ranges in use needs little memory, even for a huge sparse file. */
function readRange(file: string, offset: number, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  const descriptor = openSync(file, READ_FLAGS);
  try {
    for (let done = 0; done < length; ) {
      const read = readSync(descriptor, bytes, done, length - done, offset + done);
      if (read === 0) throw badInput(`${path.basename(file)}: became shorter while it was being read. Try again.`);
      done += read;
    }
  } finally {
    closeSync(descriptor);
  }
  return bytes;
}
