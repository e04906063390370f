import { StudioError } from '../../core/errors.ts';
import { clipFormat } from '../../formats/clip-registry.ts';
import { ROOT_COLUMNS } from '../../formats/raw-clip.ts';

/** What a listing shows of one file. */
export interface ClipFacts {
  /** null where the file cannot be read */
  readonly frames: number | null;
  /** null where the file does not say */
  readonly fps: number | null;
  /** why the file is no clip of the robot */
  readonly error: string | null;
}

/** Reads what a listing shows of a clip's file, without its numbers.
 *  @param format id of a clip format  @param expectedColumns 7 + joints of the robot */
export async function readClipFacts(file: string, format: string, expectedColumns: number): Promise<ClipFacts> {
  try {
    const { frames, fps, columns } = await clipFormat(format).facts(file);
    return { frames, fps, error: columns === expectedColumns ? null : columnsProblem(columns, expectedColumns) };
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return { frames: null, fps: null, error: error.message };
  }
}

/** What is wrong with a clip of `found` columns for a robot that needs `expected`. */
export function columnsProblem(found: number, expected: number): string {
  const joints = (columns: number) => {
    const count = columns - ROOT_COLUMNS;
    return `${columns} columns (${ROOT_COLUMNS} of the root, ${count} ${count === 1 ? 'joint' : 'joints'})`;
  };
  return `the clip has ${joints(found)}, this robot needs ${joints(expected)}`;
}
