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
import { lacksLinks } from './link-or-copy.ts';
import { FileTooLargeError, IrregularFileError, readRegularFileSync } from './read-regular-file.ts';

/** Interval at which the holder rewrites its lock file, ms. Each write updates the file's modification time. */
const BEAT_MS = 3000;
/** A holder that cannot be inspected (on another machine or in another container) is considered dead if it has not
 *  written its lock file for this time, ms. */
const SILENCE_MS = 15_000;
/** Maximum size of a lock file that is read, bytes. A holder's record has less than 500 bytes. */
const MAX_BYTES = 4096;
const TRIES = 50;
const TRY_MS = 20;

/** Content of a lock file: the process that holds the lock. */
export interface Holder {
  readonly pid: number;
  /** Start of the process in clock ticks since boot (field 22 of /proc/<pid>/stat), null without /proc. */
  readonly start: string | null;
  readonly boot: string | null;
  /** Machine and process-id namespace. Process ids are unique only within it. */
  readonly place: string;
  readonly host: string;
}

/** The lock is held by a process that is alive or may be alive. */
export class LockedError extends Error {
  readonly holder: Holder | null;
  constructor(message: string, holder: Holder | null) {
    super(message);
    this.name = 'LockedError';
    this.holder = holder;
  }
}

export interface PidLock {
  /** Returns true if this process still holds the lock, that is, the file was not removed or replaced. */
  isHeld(): boolean;
  release(): void;
}

/** Takes the lock `file` for this process. The folder of the file must exist. The lock of a dead process is taken over
 *  at once. @throws LockedError naming the process that holds it */
export async function takeLock(file: string): Promise<PidLock> {
  const me = holderHere();
  const content = Buffer.from(`${JSON.stringify(me)}\n`);
  const fd = await acquired(file, me, content);
  // Rewrites the same bytes in place: only the modification time changes, by the disk's clock that others read, too.
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

/** Returns whether a living process holds the lock `file`, with a sentence that describes the lock; null without a
 *  lock. Does not change the lock. */
export function lockState(file: string): { readonly held: boolean; readonly text: string } | null {
  const found = read(file);
  if (found === 'gone') return null;
  const now = Date.now();
  if (isAlive(found, holderHere(), now)) return { held: true, text: holderText(found, now) };
  return { held: false, text: found.holder ? `left by process ${found.holder.pid}, which has ended` : 'not a lock' };
}

function holderHere(): Holder {
  return {
    pid: process.pid,
    start: startOf(process.pid),
    boot: bootId(),
    place: `${hostname()} ${linkText('/proc/self/ns/pid')}`,
    host: hostname(),
  };
}

/** The record of this process in a file of its own, which becomes the lock by a second name. */
interface Own {
  readonly file: string;
  readonly fd: number;
  readonly content: Uint8Array;
}

/** Acquires the lock. @returns the descriptor of its file */
async function acquired(file: string, me: Holder, content: Uint8Array): Promise<number> {
  const name = `${file}.${process.pid}-${Date.now().toString(36)}`;
  const own: Own = { file: name, fd: openSync(name, 'wx'), content };
  let fd: number | null = null;
  try {
    writeSync(own.fd, content);
    fd = await acquire(file, own, me);
    return fd;
  } finally {
    if (fd !== own.fd) closeSync(own.fd);
    unlinkSync(own.file);
  }
}

/** Acquires the lock with link(): exactly one process gets the name, and the file is complete from the start. Taking
 *  over a dead holder's lock needs two steps, so a second lock of the same kind (`.steal`) admits one process at a
 *  time. */
async function acquire(file: string, own: Own, me: Holder): Promise<number> {
  const steal = `${file}.steal`;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const fd = claim(own, file);
    if (fd !== null) return fd;
    const now = fstatSync(own.fd).mtimeMs;
    const held = read(file);
    if (held === 'gone') continue;
    if (isAlive(held, me, now)) throw new LockedError(holderText(held, now), held.holder);
    const stealFd = claim(own, steal);
    if (stealFd === null) {
      const thief = read(steal);
      if (thief !== 'gone' && !isAlive(thief, me, now)) remove(steal);
      else await sleep(TRY_MS);
      continue;
    }
    try {
      const still = read(file);
      if (still !== 'gone' && !isAlive(still, me, now)) remove(file);
    } finally {
      if (stealFd !== own.fd) closeSync(stealFd);
      remove(steal);
    }
  }
  throw new LockedError(
    `the lock ${path.basename(file)} could not be acquired, because other processes acquire it again and again`,
    null,
  );
}

interface Read {
  /** null if the file does not contain a holder's record */
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

/** Returns the text of a lock file; '' for a pipe, link, device or large file, which cannot be a lock. */
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
    // kill(2) interprets 0 and negative numbers as process groups, so signal 0 would always find a process.
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
    return null; // The text is not JSON: another program wrote it, or the disk lost the content.
  }
}

/** @param now modification time of a file that was just written to the same disk, ms */
function isAlive({ holder, mtimeMs }: Read, me: Holder, now: number): boolean {
  const silent = now - mtimeMs > SILENCE_MS;
  if (!holder || holder.place !== me.place) return !silent;
  if (holder.boot !== me.boot) return false;
  if (holder.start !== null) return startOf(holder.pid) === holder.start;
  return signalable(holder.pid);
}

function holderText({ holder, mtimeMs }: Read, now: number): string {
  if (!holder) return 'another program has just written its lock file';
  const seen = `${Math.max(0, Math.round((now - mtimeMs) / 1000))} s ago`;
  const foreign = holder.place !== `${hostname()} ${linkText('/proc/self/ns/pid')}`;
  return foreign
    ? `in use by process ${holder.pid} on ${holder.host} (last sign of life ${seen})`
    : `in use by process ${holder.pid}`;
}

/** Returns the start time of a living process as the kernel reports it. Returns null if the process is gone or a
 *  zombie, or without /proc. Signal 0 is not enough: zombies accept it, and process ids are reused. */
export function startOf(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The process name in parentheses may contain any character, so count the fields from the end of the name.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

/** Returns the kernel's id of the current boot, or null without /proc. */
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

/** Gives the record of this process the name `to`. @returns the descriptor of that file; null if the name is taken */
function claim(own: Own, to: string): number | null {
  try {
    linkSync(own.file, to);
    return own.fd;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
    if (!lacksLinks(error)) throw error;
  }
  return created(to, own.content);
}

/** Creates a lock on a disk without hard links. A process that reads the file before its content treats it as alive
 *  until SILENCE_MS, so it does not take it over. */
function created(file: string, content: Uint8Array): number | null {
  let fd: number;
  try {
    fd = openSync(file, 'wx');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
    throw error;
  }
  try {
    writeSync(fd, content);
    return fd;
  } catch (error) {
    closeSync(fd);
    remove(file);
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
    return false; // The file or its disk is gone.
  }
}
