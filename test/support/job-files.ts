import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { formatRecord, type JobStatus, newRecord } from '../../src/jobs/job-record.ts';
import type { Job } from '../../src/protocol/schemas/jobs.ts';

export interface PlantedJob {
  readonly status: JobStatus;
  readonly launcher?: string;
  /** whether the job's processes may have started */
  readonly submitted?: boolean;
  readonly uuid?: string;
  readonly job?: Partial<Job>;
  /** further files of the job's folder; values that are not text are written as JSON */
  readonly files?: Readonly<Record<string, unknown>>;
}

/** Writes the folder of a job as if by a service, with its record and other files.
 *  @param jobs `<workspace>/jobs`, created if missing @returns the folder */
export function plantJob(jobs: string, name: string, planted: PlantedJob): string {
  const { status, launcher = 'local', submitted, uuid = randomUUID(), files = {} } = planted;
  const folder = path.join(jobs, name);
  mkdirSync(folder, { recursive: true });
  const { job, identity } = newRecord(name, { kind: 'train', launcher, trainer: 'test', params: {} }, 1, new Date());
  const record = formatRecord({
    job: { ...job, status, ...planted.job },
    identity: { ...identity, uuid, ...(submitted === undefined ? {} : { submitted }) },
  });
  const order = { command: ['/bin/true'], cwd: '/', env: {} };
  for (const [file, content] of Object.entries({
    'job.json': record,
    'launch.json': order,
    'output.log': '',
    ...files,
  }))
    writeFileSync(path.join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
  return folder;
}
