import { closeSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { badInput, StudioError } from '../../core/errors.ts';
import { READ_FLAGS, refuseUnreadable } from '../../core/files/bounded-file.ts';
import { quoteName } from '../../core/files/names.ts';
import { isInside } from '../../core/files/path-guard.ts';
import type { OnnxModel } from '../../formats/onnx/onnx-model.ts';
import { readOnnx } from '../../formats/onnx/read-onnx.ts';
import type { ExternalFile } from '../../formats/onnx/read-tensor.ts';

/** A policy takes a few MB, ten minutes of motion embedded in it a hundred. */
const MAX_BYTES = 1 << 28;

/** Reads a model. Its weights are read when they are used, also those that lie in files beside it. It blocks: for threads
 *  that have nothing else to do.
 *  @throws bad_input naming the file; the system's error where the model is not there */
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

/** The error with the file that it is about in front of it. */
export function inFile(name: string, error: unknown): unknown {
  return error instanceof StudioError
    ? new StudioError(error.code, `${name}: ${error.message}`, { cause: error })
    : error;
}

/** Names come from the model: a plain one, of a file that truly lies there. */
function fileBeside(folder: string, location: string): ExternalFile {
  const plain = location !== '' && !/[/\\\0]/.test(location) && location !== '.' && location !== '..';
  if (!plain) throw badInput(`its weights must lie in a file beside it, not in ${quoteName(location)}`);
  let real: string;
  try {
    real = realpathSync(path.join(folder, location));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw badInput(`its weights are in ${quoteName(location)}, which is missing: copy that file beside it`);
  }
  if (!isInside(realpathSync(folder), real))
    throw badInput(`its weights in ${quoteName(location)} lead out of its folder`);
  return { size: checkedSize(real, location), read: (offset, length) => readRange(real, offset, length) };
}

/** Bytes of a file. @throws bad_input for what is not a file, or larger than a policy's can be */
function checkedSize(file: string, name: string): number {
  const stats = statSync(file);
  if (!stats.isFile()) throw badInput(`${name}: is not a file`);
  if (stats.size > MAX_BYTES)
    throw badInput(
      `${name}: is larger than a policy's file can be (${stats.size} bytes, at most ${MAX_BYTES >> 20} MiB)`,
    );
  return stats.size;
}

/** Reads a range alone: a file with holes in it takes no more memory than what is used of it. */
function readRange(file: string, offset: number, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  const descriptor = openSync(file, READ_FLAGS);
  try {
    for (let done = 0; done < length; ) {
      const read = readSync(descriptor, bytes, done, length - done, offset + done);
      if (read === 0) throw badInput(`${path.basename(file)}: became shorter while it was read: try again`);
      done += read;
    }
  } finally {
    closeSync(descriptor);
  }
  return bytes;
}
