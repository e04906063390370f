import { closeSync, openSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { type Scalar, scalarsRecord, versionRecord } from '../../formats/event-file/write-events.ts';

/** Appends scalars to an event file in a run folder. Writes are unbuffered, so that readers see scalars immediately. */
export class EventWriter {
  readonly #file: number;

  /** Creates the file. @throws NodeJS.ErrnoException if the folder is not writable */
  constructor(folder: string, now = Date.now()) {
    const name = `events.out.tfevents.${Math.floor(now / 1e3)}.${hostname()}.${process.pid}.0`;
    this.#file = openSync(path.join(folder, name), 'a');
    writeSync(this.#file, versionRecord(now / 1e3));
  }

  /** @param step iteration */
  write(step: number, scalars: readonly Scalar[], now = Date.now()): void {
    if (scalars.length > 0) writeSync(this.#file, scalarsRecord(now / 1e3, step, scalars));
  }

  close(): void {
    closeSync(this.#file);
  }
}
