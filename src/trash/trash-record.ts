import path from 'node:path';
import { type Static, Type } from 'typebox';
import { problemOf } from '../core/validation.ts';
import { nullable, oneOf } from '../protocol/route.ts';
import { TRASH_KINDS, type TrashKind } from '../protocol/schemas/trash.ts';

/** Name of the record in the folder of an item. */
export const RECORD_FILE = 'item.json';
/** Maximum size of a record that is read, bytes. The marks of a clip need about 1 kB. */
export const MAX_RECORD_BYTES = 1 << 20;

const ID = /^[0-9a-z]{8,10}-[0-9a-f]{12}$/;

const Entry = Type.Object(
  {
    /** original path relative to the workspace, with `/` */
    from: Type.String({ maxLength: 1024 }),
    /** number of the entry, which is its file name in the folder of the item */
    at: Type.Integer({ minimum: 0, maximum: 1 << 20 }),
    /** set if the entry is on another disk than the trash, so it is kept as a hidden file next to its original path */
    beside: Type.Optional(Type.Boolean()),
    /** set if nothing existed at the path: restoring then removes the current content */
    absent: Type.Optional(Type.Boolean()),
    /** identity of the content that replaced the entry; null: nothing replaced it; absent: unknown */
    after: Type.Optional(nullable(Type.String({ maxLength: 100 }))),
  },
  { additionalProperties: false },
);
export type TrashEntry = Static<typeof Entry>;

const Move = Type.Object(
  { from: Type.String({ maxLength: 1024 }), to: Type.String({ maxLength: 1024 }) },
  { additionalProperties: false },
);
/** A file that is renamed. */
export type RenamedFile = Static<typeof Move>;

const Stored = Type.Object(
  {
    version: Type.Literal(1),
    kind: oneOf(TRASH_KINDS),
    action: oneOf(['delete', 'replace', 'rename']),
    robot: nullable(Type.String({ maxLength: 128 })),
    name: Type.String({ minLength: 1, maxLength: 512 }),
    /** the previous name, for a rename */
    was: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
    deleted: Type.String({ maxLength: 40 }),
    entries: Type.Array(Entry, { maxItems: 4096 }),
    /** an unfinished rename: the files that move, relative to the workspace, each within its folder */
    moves: Type.Optional(Type.Array(Move, { maxItems: 64 })),
    /** the new names of the clips of an unfinished rename, by their former names */
    names: Type.Optional(Type.Record(Type.String({ maxLength: 256 }), Type.String({ maxLength: 256 }))),
    /** entries of `dataset.yaml` of deleted clips, by clip */
    marks: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { additionalProperties: false },
);
/** The record of one item: its kind, where its files were, and why it is in the trash. */
export type TrashRecord = Static<typeof Stored>;

/** Returns true if `undo` has the form of an item's id, which is also the name of its folder. */
export function isItemId(undo: string): boolean {
  return ID.test(undo);
}

/** Parses a record. @returns null for a damaged record, or one with paths that are not allowed for its kind */
export function parseRecord(text: string): TrashRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (problemOf(Stored, value) !== null) return null;
  const record = value as TrashRecord;
  if (Number.isNaN(Date.parse(record.deleted))) return null;
  const isMove = ({ from, to }: RenamedFile) =>
    isPlaceOf(record.kind, from) && isPlaceOf(record.kind, to) && path.dirname(from) === path.dirname(to);
  if (record.moves !== undefined && !record.moves.every(isMove)) return null;
  return record.entries.every(({ from }) => isPlaceOf(record.kind, from)) ? record : null;
}

/** Number of folders that may have to be created again to restore an entry. A clip needs the folder of its dataset, see
 *  {@link datasetOf}. */
export const MISSING_LEVELS: Readonly<{ [K in TrashKind]: number }> = {
  robot: 1,
  dataset: 2,
  clip: 2,
  run: 2,
  preset: 3,
  module: 3,
};

/** Returns true if a path of the workspace can belong to an item of this kind. */
function isPlaceOf(kind: TrashKind, from: string): boolean {
  const segments = from.split('/');
  const [top, first = '', second = '', ...rest] = segments;
  if (segments.some((segment) => ['', '.', '..'].includes(segment) || segment.includes('\0'))) return false;
  const isRobot = first !== '' && !first.startsWith('.');
  switch (kind) {
    case 'robot':
      return top === 'robots' && isRobot && (second === '' || (second === 'robot.yaml' && rest.length === 0));
    case 'dataset':
      return top === 'data' && isRobot && second !== '' && rest.length <= 1;
    case 'clip':
      return top === 'data' && isRobot && second !== '' && rest.length >= 1 && rest.length <= 3;
    case 'run':
      return top === 'logs' && first === 'rsl_rl' && rest.length === 1;
    case 'preset':
    case 'module':
      return top === 'config' && isRobot && second === `${kind}s` && rest.length === 1 && rest[0]!.endsWith('.yaml');
  }
}

/** Returns the folder of a clip's dataset, relative to the workspace. @param from path of a file of the clip */
export function datasetOf(from: string): string {
  return from.split('/').slice(0, 3).join('/');
}

/** Returns the path of an entry relative to the workspace, with `/`. */
export function placeIn(root: string, file: string): string {
  return path.relative(root, file).split(path.sep).join('/');
}
