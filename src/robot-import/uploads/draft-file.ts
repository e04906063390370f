import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type Static, Type } from 'typebox';
import { writeAtomic } from '../../core/files/atomic-file.ts';
import { nameProblem } from '../../core/files/names.ts';
import { readRegularFile } from '../../core/files/read-regular-file.ts';
import { problemOf } from '../../core/validation.ts';
import { RobotSpec } from '../../protocol/schemas/robots.ts';

/** Hidden, so that it is no part of the model; in the upload's folder, so that it goes where the upload goes. */
export const DRAFT_FILE = '.draft.json';

const MAX_DRAFT_BYTES = 1 << 20;

const DraftRecord = Type.Object({
  version: Type.Literal(1),
  /** ISO-8601 UTC */
  inspected: Type.String(),
  /** as inspect suggested it */
  spec: RobotSpec,
});
type DraftRecord = Static<typeof DraftRecord>;

/** A robot to be: an upload whose model has been inspected. */
export interface Draft {
  /** of the upload */
  readonly id: string;
  /** path of the model in the upload */
  readonly model: string;
  /** as inspect suggested it */
  readonly spec: RobotSpec;
}

/** Keeps the draft beside the files that it is made of. */
export async function writeDraft(folder: string, spec: RobotSpec): Promise<void> {
  const record: DraftRecord = { version: 1, inspected: new Date().toISOString(), spec };
  await writeAtomic(path.join(folder, DRAFT_FILE), `${JSON.stringify(record)}\n`);
}

/** The upload that was inspected last. What cannot be read is no draft: inspecting again makes one. */
export async function latestDraft(root: string): Promise<Draft | null> {
  const ids = (await readdir(root).catch(() => [])).filter((id) => nameProblem('robot', id) === null);
  let latest: { readonly id: string; readonly record: DraftRecord } | null = null;
  for (const id of ids) {
    const record = await readRecord(path.join(root, id, DRAFT_FILE));
    if (record && (!latest || record.inspected > latest.record.inspected)) latest = { id, record };
  }
  return latest && { id: latest.id, model: latest.record.spec.model, spec: latest.record.spec };
}

/** The draft of one upload, null where it has none. */
export async function readDraft(folder: string): Promise<Draft | null> {
  const record = await readRecord(path.join(folder, DRAFT_FILE));
  return record && { id: path.basename(folder), model: record.spec.model, spec: record.spec };
}

async function readRecord(file: string): Promise<DraftRecord | null> {
  try {
    const record: unknown = JSON.parse((await readRegularFile(file, MAX_DRAFT_BYTES)).toString());
    return problemOf(DraftRecord, record) === null ? (record as DraftRecord) : null;
  } catch {
    return null; // no draft, or one of another version
  }
}
