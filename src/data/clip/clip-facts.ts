import path from 'node:path';
import { StudioError } from '../../core/errors.ts';
import { clipFileType } from '../../formats/clip-registry.ts';
import { ROOT_COLUMNS } from '../../formats/raw-clip.ts';

/** What a listing shows of one file. */
export interface ClipFacts {
  /** null if the file cannot be read */
  readonly frames: number | null;
  /** null if the file has no rate */
  readonly fps: number | null;
  /** 7 + joints; null if the file cannot be read */
  readonly columns: number | null;
  /** why the file cannot be read or played */
  readonly error: string | null;
}

/** Reads what a listing shows of a clip's file, without loading its frames. @param format id of a clip format */
export async function readClipFacts(file: string, format: string): Promise<ClipFacts> {
  try {
    const { frames, fps, columns, segments = 0, notFinite = null } = await clipFileType(format).facts(file);
    const bundled = segments > 0 ? bundleProblem(path.basename(file), segments) : null;
    return { frames, fps, columns, error: bundled ?? notFinite };
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return { frames: null, fps: null, columns: null, error: error.message };
  }
}

/** Returns the error of a bundle that was put among converted clips by hand, where it is not a clip. */
export function bundleProblem(file: string, segments: number): string {
  return `${file}: the file is a bundle of ${segments} ${segments === 1 ? 'clip' : 'clips'}, which is no clip itself: upload or import it, and it is taken apart`;
}

/** Reads the facts of several files, one after another on one thread. */
export async function readManyFacts(
  files: readonly { readonly path: string; readonly format: string }[],
): Promise<ClipFacts[]> {
  const facts: ClipFacts[] = [];
  for (const { path, format } of files) facts.push(await readClipFacts(path, format));
  return facts;
}

/** Returns why a clip cannot be used for a robot with `columns` columns (0: any robot); null if it can. */
export function factsProblem({ columns: found, error }: ClipFacts, columns: number): string | null {
  return error ?? (found === null || found === columns || columns === 0 ? null : columnsProblem(found, columns));
}

/** Describes the mismatch of a clip with `found` columns and a robot that needs `expected`. */
export function columnsProblem(found: number, expected: number): string {
  const joints = (columns: number) => {
    const count = columns - ROOT_COLUMNS;
    return `${columns} columns (${ROOT_COLUMNS} of the root, ${count} ${count === 1 ? 'joint' : 'joints'})`;
  };
  return `the clip has ${joints(found)}, this robot needs ${joints(expected)}`;
}
