import path from 'node:path';
import { StudioError } from '../../core/errors.ts';
import { notOverridden } from '../../formats/clip-format.ts';
import { clipFileType } from '../../formats/clip-registry.ts';
import { ROOT_COLUMNS } from '../../formats/raw-clip.ts';
import { DEFAULT_INPUT_FPS } from '../../motion/conversion-options.ts';
import type { Assumption, ReadOptions } from '../../protocol/schemas/reading.ts';

/** The properties of a clip's file that a listing shows. */
export interface ClipFacts {
  /** null if the file cannot be read */
  readonly frames: number | null;
  /** null if neither the file nor its format states a rate */
  readonly fps: number | null;
  /** 7 + number of joints; null if the file cannot be read */
  readonly columns: number | null;
  /** why the file cannot be read or played; null if it can */
  readonly error: string | null;
  /** what the reader assumed because the file does not state it (units, joint order), as `formatAssumed` writes it;
   *  null if the file cannot be read */
  readonly assumed: string | null;
}

/** Reads the properties that a listing shows, without loading the clip's frames. @param format id of a clip format */
export async function readClipFacts(file: string, format: string): Promise<ClipFacts> {
  try {
    const facts = await clipFileType(format).facts(file);
    const { frames, fps, columns, segments = 0, notFinite = null } = facts;
    const bundled = segments > 0 ? bundleProblem(path.basename(file), segments) : null;
    const assumed = formatAssumed(withDefaults(facts.assumed, fps, facts.jointNames ?? null));
    return { frames, fps, columns, error: bundled ?? notFinite, assumed };
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return unreadableFacts(error.message);
  }
}

/** Returns the facts of a file that cannot be read. */
export function unreadableFacts(error: string): ClipFacts {
  return { frames: null, fps: null, columns: null, error, assumed: null };
}

/** Adds the assumptions for a file that states neither its frame rate nor its joints. */
function withDefaults(
  assumed: readonly Assumption[],
  fps: number | null,
  jointNames: readonly string[] | null,
): readonly Assumption[] {
  const all = [...assumed];
  const lacks = (what: Assumption['what']) => all.every((known) => known.what !== what);
  if (fps === null && lacks('fps')) all.push({ what: 'fps', value: DEFAULT_INPUT_FPS, from: 'guess' });
  if (lacks('joint_order'))
    all.push(
      jointNames
        ? { what: 'joint_order', value: 'named', from: 'file' }
        : { what: 'joint_order', value: 'robot', from: 'guess' },
    );
  return all;
}

/** Formats assumptions as one short text, such as `fps=120 format;units=cm format`. The text is short because the
 *  index stores one for each of a hundred thousand files. Values are words or numbers. */
function formatAssumed(assumed: readonly Assumption[]): string {
  return assumed.map(({ what, value, from }) => `${what}=${value} ${from}`).join(';');
}

/** Returns the assumptions under which a file is read, without the assumptions that the user's options replace. */
export function assumedIn({ assumed }: Pick<ClipFacts, 'assumed'>, options: ReadOptions): Assumption[] {
  const parts = assumed === null || assumed === '' ? [] : assumed.split(';');
  const all = parts.map((part): Assumption => {
    const [, what, value, from] = /^(\w+)=(.*) (\w+)$/.exec(part)!;
    return { what, value: what === 'fps' ? Number(value) : value, from } as Assumption;
  });
  return [...notOverridden(all, options)];
}

/** Returns the error message for a bundle that was manually copied into the folder of converted clips. */
export function bundleProblem(file: string, segments: number): string {
  return `${file}: the file is a bundle of ${segments} ${segments === 1 ? 'clip' : 'clips'}, not a clip. Upload or import it to split it into clips.`;
}

/** Reads the facts of several files, one after another on one thread. */
export async function readManyFacts(
  files: readonly { readonly path: string; readonly format: string }[],
): Promise<ClipFacts[]> {
  const facts: ClipFacts[] = [];
  for (const { path, format } of files) facts.push(await readClipFacts(path, format));
  return facts;
}

/** Returns why a clip cannot be used for a robot with `columns` columns (0: any robot); null if the clip can be
 *  used. */
export function factsProblem({ columns: found, error }: ClipFacts, columns: number): string | null {
  return error ?? (found === null || found === columns || columns === 0 ? null : columnsProblem(found, columns));
}

/** Describes the mismatch between a clip with `found` columns and a robot with `expected` columns. */
export function columnsProblem(found: number, expected: number): string {
  const joints = (columns: number) => {
    const count = columns - ROOT_COLUMNS;
    return `${columns} columns (${ROOT_COLUMNS} of the root, ${count} ${count === 1 ? 'joint' : 'joints'})`;
  };
  return `the clip has ${joints(found)}, this robot needs ${joints(expected)}: select the robot of the clip, or retarget it`;
}
