import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { LOG_FILE } from '../live-job.ts';

/** Where a job lives and how its processes are known. */
export interface JobPlace {
  readonly name: string;
  /** `<workspace>/jobs/<name>` */
  readonly folder: string;
  /** its log, appended to by the job itself */
  readonly log: string;
  /** Mark that its processes carry in their environment, or a scheduler in the job's comment: the job's uuid, and its folder's
   *  place. The job of a copied workspace has the same uuid and another mark: its copy signals nothing. */
  readonly mark: string;
}

/** @param folder `<workspace>/jobs/<name>`, whose parent exists */
export function jobPlace(folder: string, uuid: string): JobPlace {
  const place = createHash('sha256').update(realPlace(folder)).digest('hex').slice(0, 16);
  return { name: path.basename(folder), folder, log: path.join(folder, LOG_FILE), mark: `${uuid}-${place}` };
}

/** The path of a job's folder, links above it resolved. The folder itself is not a link, and need not exist yet. */
export function realPlace(folder: string): string {
  return path.join(realpathSync(path.dirname(folder)), path.basename(folder));
}
