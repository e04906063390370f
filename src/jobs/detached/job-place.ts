import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { LOG_FILE } from '../live-job.ts';

/** The folder of a job, and the mark that identifies its processes. */
export interface JobPlace {
  readonly name: string;
  /** `<workspace>/jobs/<name>` */
  readonly folder: string;
  /** the log, to which the job itself appends */
  readonly log: string;
  /** Mark in the environment of the job's processes, or in the comment of a scheduler's job. It consists of the job's
   *  uuid and a hash of its folder's path. In a copied workspace the uuid is the same but the mark differs, so a copied
   *  job cannot signal the original's processes. */
  readonly mark: string;
}

/** @param folder `<workspace>/jobs/<name>`, whose parent exists */
export function jobPlace(folder: string, uuid: string): JobPlace {
  const place = createHash('sha256').update(realPlace(folder)).digest('hex').slice(0, 16);
  return { name: path.basename(folder), folder, log: path.join(folder, LOG_FILE), mark: `${uuid}-${place}` };
}

/** Returns the path of a job's folder with the links above it resolved. The folder itself is not a link and need not
 *  exist. */
export function realPlace(folder: string): string {
  return path.join(realpathSync(path.dirname(folder)), path.basename(folder));
}
