import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { badInput, StudioError } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import { isInside } from '../../core/files/path-guard.ts';
import type { OnnxModel } from '../../formats/onnx/onnx-model.ts';
import { readOnnx } from '../../formats/onnx/read-onnx.ts';

/** A policy takes a few MB, ten minutes of motion embedded in it a hundred. */
const MAX_BYTES = 1 << 29;

/** Reads a model with the weights that lie in files beside it. It blocks: for threads that have nothing else to do.
 *  @throws bad_input naming the file; the system's error where the model is not there */
export function readOnnxFile(file: string): OnnxModel {
  const name = path.basename(file);
  const folder = path.dirname(file);
  const beside = new Map<string, Uint8Array>();
  const external = (location: string): Uint8Array => {
    let content = beside.get(location);
    if (!content) {
      content = readBeside(folder, location);
      beside.set(location, content);
    }
    return content;
  };
  const content = readBounded(file, name);
  try {
    return readOnnx(content, external);
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
function readBeside(folder: string, location: string): Uint8Array {
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
  return readBounded(real, location);
}

function readBounded(file: string, name: string): Uint8Array {
  const stats = statSync(file);
  if (!stats.isFile() || stats.size > MAX_BYTES)
    throw badInput(`${name}: is no file that a policy can be (${stats.size} bytes, at most ${MAX_BYTES >> 20} MiB)`);
  return readFileSync(file);
}
