import {
  closeSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../errors.ts';
import { FileTooLargeError, IrregularFileError, readRegularFileSync } from './read-regular-file.ts';

/** The holder rewrites its lock this often, which moves the file's time … */
const BEAT_MS = 3000;
/** … so a holder that cannot be looked at (another machine or container) counts as gone after this much silence. */
const SILENCE_MS = 15_000;
/** A holder is less than 500 bytes. */
const MAX_BYTES = 4096;
const TRIES = 50;
const TRY_MS = 20;

/** Content of a lock file: who holds it. */
export interface Holder {
  readonly pid: number;
  /** Start of the process in clock ticks since boot (field 22 of /proc/<pid>/stat), null without /proc. */
  readonly start: string | null;
  readonly boot: string | null;
  /** Machine and process-id namespace: process ids mean nothing outside it. */
  readonly place: string;
  readonly host: string;
}

/** The lock is held by a process that is alive, or may be. */
export class LockedError extends Error {
  readonly holder: Holder | null;
  constructor(message: string, holder: Holder | null) {
    super(message);
    this.name = 'LockedError';
    this.holder = holder;
  }
}

export interface PidLock {
  /** Whether the file still is this process's: nobody removed or replaced it. */
  isHeld(): boolean;
  release(): void;
}

/** Takes the lock file `file` for this process; its folder exists. A lock whose holder is dead is taken over at once.
 *  @throws LockedError naming the process that holds it */
export async function takeLock(file: string): Promise<PidLock> {
  const me: Holder = {
    pid: process.pid,
    start: startOf(process.pid),
    boot: bootId(),
    place: `${hostname()} ${linkText('/proc/self/ns/pid')}`,
    host: hostname(),
  };
  const content = Buffer.from(`${JSON.stringify(me)}\n`);
  const own = `${file}.${process.pid}-${Date.now().toString(36)}`;
  const fd = openSync(own, 'wx');
  try {
    writeSync(fd, content);
    await acquire(file, own, me, fd);
  } catch (error) {
    closeSync(fd);
    throw error;
  } finally {
    unlinkSync(own);
  }
  // In place: the bytes never differ, only the time moves, by the clock of the disk that others read it from.
  const beat = setInterval(() => {
    try {
      writeSync(fd, content, 0, content.length, 0);
    } catch (error) {
      process.emitWarning(`the workspace lock could not be renewed: ${messageOf(error)}`);
    }
  }, BEAT_MS);
  beat.unref();
  let held = true;
  return {
    isHeld: () => held && sameFile(file, fd),
    release() {
      if (!held) return;
      held = false;
      clearInterval(beat);
      if (sameFile(file, fd)) unlinkSync(file);
      closeSync(fd);
    },
  };
}

/** link() gives the name to exactly one process, with the content complete from the first moment. Taking a dead
 *  holder's lock away is two steps, so a second link of the same kind lets one process at a time do it. */
async function acquire(file: string, own: string, me: Holder, fd: number): Promise<void> {
  const steal = `${file}.steal`;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (linked(own, file)) return;
    const now = fstatSync(fd).mtimeMs;
    const held = read(file);
    if (held === 'gone') continue;
    if (isAlive(held, me, now)) throw new LockedError(holderText(held, now), held.holder);
    if (!linked(own, steal)) {
      const thief = read(steal);
      if (thief !== 'gone' && !isAlive(thief, me, now)) remove(steal);
      else await sleep(TRY_MS);
      continue;
    }
    try {
      const still = read(file);
      if (still !== 'gone' && !isAlive(still, me, now)) remove(file);
    } finally {
      remove(steal);
    }
  }
  throw new LockedError(`the lock ${path.basename(file)} could not be taken: others are taking it over and over`, null);
}

interface Read {
  /** null: the file holds no record of this kind. */
  readonly holder: Holder | null;
  readonly mtimeMs: number;
}

function read(file: string): Read | 'gone' {
  try {
    const { mtimeMs } = lstatSync(file);
    return { holder: parse(textOf(file)), mtimeMs };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'gone';
    throw error;
  }
}

/** @returns '' for a pipe, link, device or large file: not a lock of this kind */
function textOf(file: string): string {
  try {
    return readRegularFileSync(file, MAX_BYTES).toString('utf8');
  } catch (error) {
    if (error instanceof IrregularFileError || error instanceof FileTooLargeError) return '';
    throw error;
  }
}

function parse(text: string): Holder | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return null;
    const { pid, start, boot, place, host } = value as Record<string, unknown>;
    // Signal 0 to other numbers asks for groups, and always finds some.
    if (!Number.isSafeInteger(pid) || (pid as number) <= 1 || typeof place !== 'string' || typeof host !== 'string')
      return null;
    return {
      pid: pid as number,
      place,
      host,
      start: typeof start === 'string' ? start : null,
      boot: typeof boot === 'string' ? boot : null,
    };
  } catch {
    return null; // Not JSON: written by something else, or a disk that lost it.
  }
}

/** @param now time of a file just written to the same disk, ms */
function isAlive({ holder, mtimeMs }: Read, me: Holder, now: number): boolean {
  const silent = now - mtimeMs > SILENCE_MS;
  if (!holder || holder.place !== me.place) return !silent;
  if (holder.boot !== me.boot) return false;
  if (holder.start !== null) return startOf(holder.pid) === holder.start;
  return signalable(holder.pid);
}

function holderText({ holder, mtimeMs }: Read, now: number): string {
  if (!holder) return 'its lock file was written by something else a moment ago';
  const seen = `${Math.max(0, Math.round((now - mtimeMs) / 1000))} s ago`;
  const foreign = holder.place !== `${hostname()} ${linkText('/proc/self/ns/pid')}`;
  return foreign
    ? `in use by process ${holder.pid} on ${holder.host} (last sign of life ${seen})`
    : `in use by process ${holder.pid}`;
}

/** Start time of a living process as the kernel tells it, null where it is gone, a zombie, or /proc is missing.
 *  Signal 0 would not do: a zombie takes it, and a process id is used again. */
export function startOf(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything, so fields are counted from its end.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

/** What tells one run of the machine from the next; null where there is no /proc. */
export function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}

function linkText(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}

function signalable(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function remove(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function sameFile(file: string, fd: number): boolean {
  try {
    return lstatSync(file).ino === fstatSync(fd).ino;
  } catch {
    return false; // Gone, or its disk is.
  }
}
