import { Mutex } from '../../core/mutex.ts';
import { Slices } from '../../core/slices.ts';
import type { JobRegistry } from '../../jobs/job-registry.ts';
import type { Job, Run } from '../../protocol/schemas/jobs.ts';
import type { RobotOfRuns } from '../../runs/match-robot.ts';
import { type ChangeCursor, ChangeLog } from '../../runs/store/change-log.ts';
import type { RunRecord } from '../../runs/store/run-record.ts';
import type { RunStore } from '../../runs/store/run-store.ts';
import { describeRun } from './describe-run.ts';

export interface RunListingDeps {
  readonly store: RunStore;
  /** Returns every registered robot. */
  robots(): readonly RobotOfRuns[];
  /** Returns the id of the selected robot. */
  selected(): string;
  readonly jobs: Pick<JobRegistry, 'list'>;
}

/** A run as clients see it. */
interface Listed {
  readonly record: RunRecord;
  readonly robot: string | null;
  /** fields that the job of the run adds; null without a job */
  readonly job: string | null;
  /** the run as JSON */
  readonly text: string;
}

/** The bytes of a JSON reply, which equal versions share. */
export interface RunsReply {
  readonly content: Uint8Array;
  readonly etag: string;
}

/** The runs as clients see them, kept as text: a listing describes only the runs that changed. */
export class RunListing {
  readonly #deps: RunListingDeps;
  /** serialises {@link #renew} */
  readonly #renewing = new Mutex();
  /** the robots that the texts depend on, as JSON */
  #matched = '';
  #log = new ChangeLog<Listed>();
  #read: ChangeCursor | null = null;
  /** paths of the runs to which a job adds something */
  #withJob: ReadonlySet<string> = new Set();
  /** the last reply with all runs */
  #last: RunsReply | null = null;

  constructor(deps: RunListingDeps) {
    this.#deps = deps;
  }

  /** Lists the runs of the selected robot and of unknown robots, the most recently changed first.
   *  @param since `version` of an earlier reply: only what changed since then, in no order, and `removed`. A version
   *  that is not known any more, such as that of another robot: the whole list, without `removed` */
  async reply(since: string | null): Promise<RunsReply> {
    const records = await this.#renew();
    const { epoch, version } = this.#log.cursor;
    const etag = `${epoch}.${version}`;
    const known = cursorOf(since);
    if (known?.epoch !== epoch) return this.#whole(records, etag);
    const { changes } = this.#log.since(known);
    const runs: string[] = [];
    const removed: string[] = [];
    for (const [path, listed] of changes) {
      if (listed !== null && this.#isShown(listed)) runs.push(listed.text);
      else removed.push(path);
    }
    const more = `"removed":${JSON.stringify(removed)},"runs":[${runs.join(',')}]`;
    return { etag: `${etag}-since-${known.version}`, content: Buffer.from(`{"version":"${etag}",${more}}`) };
  }

  /** Returns the paths of runs by robot, the most recently changed first. */
  async pathsByRobot(): Promise<ReadonlyMap<string, readonly string[]>> {
    const paths = new Map<string, string[]>();
    for (const { path } of await this.#renew()) {
      const robot = this.#log.get(path)?.robot ?? null;
      if (robot === null) continue;
      const known = paths.get(robot);
      if (known) known.push(path);
      else paths.set(robot, [path]);
    }
    return paths;
  }

  /** Describes one run. */
  describe(record: RunRecord): Run {
    return describeRun(record, this.#robots());
  }

  async #whole(records: readonly RunRecord[], etag: string): Promise<RunsReply> {
    if (this.#last?.etag !== etag)
      this.#last = { etag, content: await this.#list(records, `{"version":"${etag}","runs":[`) };
    return this.#last;
  }

  /** Joins the texts of runs in slices. */
  async #list(records: readonly RunRecord[], head: string): Promise<Uint8Array> {
    const log = this.#log;
    const slices = new Slices();
    const parts = [Buffer.from(head)];
    let text = '';
    let comma = '';
    for (const { path } of records) {
      const listed = log.get(path);
      if (listed !== null && this.#isShown(listed)) {
        text += comma + listed.text;
        comma = ',';
      }
      if (!slices.due()) continue;
      parts.push(Buffer.from(text));
      text = '';
      await slices.rest();
    }
    return Buffer.concat([...parts, Buffer.from(`${text}]}`)]);
  }

  #isShown({ robot }: Listed): boolean {
    return robot === null || robot === this.#deps.selected();
  }

  /** @returns all runs, the most recently changed first */
  async #renew(): Promise<readonly RunRecord[]> {
    const { store } = this.#deps;
    await store.list();
    return this.#renewing.run(async () => {
      const robots = this.#robots();
      const matched = JSON.stringify(robots);
      const { anew, cursor, changes } = store.changedSince(matched === this.#matched ? this.#read : null);
      if (anew) this.#log = new ChangeLog();
      this.#matched = matched;
      this.#read = cursor;
      const jobs = this.#jobsByRun();
      const slices = new Slices();
      for (const [path, record] of changes) {
        this.#log.set(path, record && listedOf(record, jobs.get(path), robots));
        if (slices.due()) await slices.rest();
      }
      this.#addJobs(jobs, robots);
      return store.sorted();
    });
  }

  /** Returns the registered robots, the selected one first. */
  #robots(): readonly RobotOfRuns[] {
    const selected = this.#deps.selected();
    return [...this.#deps.robots()].sort((a, b) => Number(b.id === selected) - Number(a.id === selected));
  }

  #jobsByRun(): Map<string, Job> {
    const jobs = new Map<string, Job>();
    for (const job of this.#deps.jobs.list()) if (job.kind === 'train' && job.run !== null) jobs.set(job.run, job);
    return jobs;
  }

  /** Describes runs again whose job began, advanced or was forgotten. */
  #addJobs(jobs: ReadonlyMap<string, Job>, robots: readonly RobotOfRuns[]): void {
    const before = this.#withJob;
    this.#withJob = new Set(jobs.keys());
    for (const path of new Set([...before, ...jobs.keys()])) {
      const listed = this.#log.get(path);
      const job = jobs.get(path);
      if (listed === null || listed.job === addedBy(listed.record, job)) continue;
      this.#log.set(path, listedOf(listed.record, job, robots));
    }
  }
}

function cursorOf(version: string | null): ChangeCursor | null {
  const [, epoch, number] = /^([\w-]{1,64})\.(\d{1,15})$/.exec(version ?? '') ?? [];
  return epoch === undefined ? null : { epoch, version: Number(number) };
}

function listedOf(record: RunRecord, job: Job | undefined, robots: readonly RobotOfRuns[]): Listed {
  const run = describeRun(record, robots);
  const minutes = run.minutes ?? (job ? minutesOf(job) : null);
  return {
    record,
    robot: run.robot,
    job: addedBy(record, job),
    text: JSON.stringify({ ...run, job: run.job ?? job?.name ?? null, minutes }),
  };
}

/** Returns what changes when a job adds something else to its run. */
function addedBy({ job: own, training }: RunRecord, job: Job | undefined): string | null {
  if (!job) return null;
  return `${own ?? job.name} ${training.seconds === null ? minutesOf(job) : ''}`;
}

/** Returns the wall time of a job so far, minutes; null before its start. */
function minutesOf({ started, ended }: Job): number | null {
  if (started === null) return null;
  const until = ended === null ? Date.now() : Date.parse(ended);
  return Math.round(Math.max(0, until - Date.parse(started)) / 600) / 100;
}
