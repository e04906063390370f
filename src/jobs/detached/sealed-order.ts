import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { closeSync, fstatSync, readSync } from 'node:fs';
import path from 'node:path';
import { Type } from 'typebox';
import { openRegularFileSync, readRegularFileSync } from '../../core/files/read-regular-file.ts';
import { problemOf } from '../../core/validation.ts';
import { realPlace } from './job-place.ts';
import type { LaunchOrder } from './launcher.ts';

/** File in a job's folder that contains its order. A queued job is started from it after a restart. */
export const ORDER_FILE = 'launch.json';

/** Maximum size of an order file that is read, bytes. The body of a launch has at most a few MiB. */
const MAX_ORDER_BYTES = 8 << 20;
/** Maximum size of a file that an order refers to, bytes. A compiled robot has a few MB. */
const MAX_FILE_BYTES = 2 ** 28;
const PIECE_BYTES = 1 << 20;
const PURPOSE = 'motion-studio launch order 1';

const Texts = Type.Record(Type.String(), Type.String());
const StoredOrder = Type.Object({
  command: Type.Array(Type.String(), { minItems: 1 }),
  cwd: Type.String({ minLength: 1 }),
  env: Texts,
  /** SHA-256 of each file, by name */
  files: Texts,
  seal: Type.String(),
});

/** The job that an order belongs to. */
export interface OrderOwner {
  /** final path of the job's folder */
  readonly folder: string;
  readonly uuid: string;
  readonly launcher: string;
}

/** Writes and reads the orders of jobs. An order contains a command to run, and workspaces are copied, downloaded and
 *  shared. A stored order is therefore started only if a service of this user wrote it for the same job in the same
 *  folder. The seal (an HMAC) proves that, because its key is outside of the workspace. */
export class OrderSeal {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** Formats the content of `launch.json`. @param unseen current folder of the order's files */
  format(order: LaunchOrder, owner: OrderOwner, unseen: string): string {
    const { command, cwd, env, files: names = [] } = order;
    const files = Object.fromEntries(names.map((name) => [name, digest(path.join(unseen, name))]));
    const seal = this.#sealOf({ command, cwd, env, files }, owner).toString('hex');
    return `${JSON.stringify({ command, cwd, env, files, seal }, null, 1)}\n`;
  }

  /** Reads the order of a job. @returns null if the order is missing or was changed, or belongs to another job, folder,
   *  user or machine */
  read(owner: OrderOwner): LaunchOrder | null {
    try {
      const text = readRegularFileSync(path.join(owner.folder, ORDER_FILE), MAX_ORDER_BYTES).toString('utf8');
      const stored: unknown = JSON.parse(text);
      if (problemOf(StoredOrder, stored)) return null;
      const { seal, ...order } = stored as Sealed & { readonly seal: string };
      const [given, expected] = [Buffer.from(seal, 'hex'), this.#sealOf(order, owner)];
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      const names = Object.keys(order.files);
      if (names.some((name) => digest(path.join(owner.folder, name)) !== order.files[name])) return null;
      return { ...order, files: names };
    } catch {
      return null; // The order or one of its files is missing or not valid, so the job cannot be started.
    }
  }

  #sealOf({ command, cwd, env, files }: Sealed, { folder, uuid, launcher }: OrderOwner): Buffer {
    const content = [PURPOSE, realPlace(folder), uuid, launcher, command, cwd, sorted(env), sorted(files)];
    return createHmac('sha256', this.#key).update(JSON.stringify(content)).digest();
  }
}

interface Sealed extends Omit<LaunchOrder, 'files'> {
  readonly files: Readonly<Record<string, string>>;
}

function sorted(texts: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns the SHA-256 of a regular file, hex. */
function digest(file: string): string {
  const descriptor = openRegularFileSync(file);
  try {
    const { size } = fstatSync(descriptor);
    if (size > MAX_FILE_BYTES) throw new Error(`${path.basename(file)} is larger than ${MAX_FILE_BYTES} bytes`);
    const hash = createHash('sha256');
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    for (let read = readSync(descriptor, piece); read > 0; read = readSync(descriptor, piece))
      hash.update(piece.subarray(0, read));
    return hash.digest('hex');
  } finally {
    closeSync(descriptor);
  }
}
