import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type Static, Type } from 'typebox';
import { writeAtomic } from '../../core/files/atomic-file.ts';
import { nameProblem } from '../../core/files/names.ts';
import { readRegularFile } from '../../core/files/read-regular-file.ts';
import { problemOf } from '../../core/validation.ts';
import { RobotSpec } from '../../protocol/schemas/robots.ts';

/** Name of the draft file. It is hidden, so that it is not part of the model, and inside the upload's folder, so that
 *  it is moved and removed together with the folder. */
export const DRAFT_FILE = '.draft.json';

const MAX_DRAFT_BYTES = 1 << 20;

const DraftRecord = Type.Object({
  version: Type.Literal(1),
  /** ISO-8601 UTC */
  inspected: Type.String(),
  /** spec as suggested by the inspection */
  spec: RobotSpec,
});
type DraftRecord = Static<typeof DraftRecord>;

/** A robot that is being imported: an upload whose model has been inspected. */
export interface Draft {
  /** id of the upload */
  readonly id: string;
  /** path of the model in the upload */
  readonly model: string;
  /** spec as suggested by the inspection */
  readonly spec: RobotSpec;
}

/** Writes the draft into the folder of its upload. */
export async function writeDraft(folder: string, spec: RobotSpec): Promise<void> {
  const record: DraftRecord = { version: 1, inspected: new Date().toISOString(), spec };
  await writeAtomic(path.join(folder, DRAFT_FILE), `${JSON.stringify(record)}\n`);
}

/** Returns the draft that was inspected last. Unreadable drafts are ignored; inspecting again writes a new one. */
export async function latestDraft(root: string): Promise<Draft | null> {
  const ids = (await readdir(root).catch(() => [])).filter((id) => nameProblem('robot', id) === null);
  let latest: { readonly id: string; readonly record: DraftRecord } | null = null;
  for (const id of ids) {
    const record = await readRecord(path.join(root, id, DRAFT_FILE));
    if (record && (!latest || record.inspected > latest.record.inspected)) latest = { id, record };
  }
  return latest && { id: latest.id, model: latest.record.spec.model, spec: latest.record.spec };
}

async function readRecord(file: string): Promise<DraftRecord | null> {
  try {
    const record: unknown = JSON.parse((await readRegularFile(file, MAX_DRAFT_BYTES)).toString());
    return problemOf(DraftRecord, record) === null ? (record as DraftRecord) : null;
  } catch {
    return null; // the file is missing, or was written by another version
  }
}
