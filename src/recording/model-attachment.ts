import path from 'node:path';
import { resolveInside } from '../core/files/path-guard.ts';
import { readRegularFile } from '../core/files/read-regular-file.ts';
import { humanoidMjcf, humanoidSpec } from '../robots/humanoid/humanoid.ts';
import type { RobotSource } from '../robots/robot-source.ts';
import { readRobotSpec, SPEC_FILE } from '../robots/robot-spec-file.ts';
import type { McapFileOptions } from './mcap/mcap-file.ts';

/** Maximum size of a model file that is attached to a recording, bytes. */
const MOST_BYTES = 16 << 20;

/** Reads a robot's model file (MJCF or URDF) for a recording. Returns null for a file that cannot be read, because a
 *  recording does not need it. */
export async function modelAttachment(source: RobotSource): Promise<McapFileOptions['attachment']> {
  if (source.kind === 'builtin') return attachmentOf(humanoidSpec().model, Buffer.from(humanoidMjcf()));
  try {
    const spec =
      source.kind === 'draft' ? source.spec : await readRobotSpec(path.join(source.folder, SPEC_FILE), source.id);
    const file = await resolveInside(source.folder, spec.model);
    return attachmentOf(spec.model, await readRegularFile(file, MOST_BYTES));
  } catch {
    return null;
  }
}

function attachmentOf(name: string, data: Uint8Array): NonNullable<McapFileOptions['attachment']> {
  return { name: path.basename(name), mediaType: 'application/xml', data };
}
