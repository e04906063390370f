import { JSON_NUMBER_BYTES, writeJsonNumber } from './json-number.ts';

/** What all rows of a message have in common. */
export interface RowHead {
  readonly session: number;
  readonly env: number;
  readonly clip: string | null;
}

/** Columns of a row. The values of the message follow each other from `first` on. */
export interface RowColumns {
  readonly frame: number;
  readonly step: number;
  readonly first: number;
}

/** A row of a session as JSON, encoded in place: `{session, env, clip, frame, step, values: {<name>: number}}`. The
 *  text is made once. Numbers have a fixed width, with leading spaces, so that a message is a copy of the text with new
 *  numbers. */
export class RowMessage {
  readonly #template: Uint8Array;
  /** byte offsets of the numbers in the message: frame, step, values */
  readonly #places: Int32Array;
  readonly #columns: RowColumns;

  /** @param names of the values */
  constructor({ session, env, clip }: RowHead, names: readonly string[], columns: RowColumns) {
    this.#columns = columns;
    const space = ' '.repeat(JSON_NUMBER_BYTES);
    const head = `{"session":${session},"env":${env},"clip":${JSON.stringify(clip)}`;
    const parts: Buffer[] = [];
    const places: number[] = [];
    let at = 0;
    const put = (text: string) => {
      const bytes = Buffer.from(text);
      parts.push(bytes);
      at += bytes.length;
    };
    const putNumber = (before: string) => {
      put(before);
      places.push(at);
      put(space);
    };
    putNumber(`${head},"frame":`);
    putNumber(',"step":');
    put(',"values":{');
    for (const [k, name] of names.entries()) putNumber(`${k > 0 ? ',' : ''}${JSON.stringify(name)}:`);
    put('}}');
    this.#template = Buffer.concat(parts);
    this.#places = Int32Array.from(places);
  }

  /** Size of the message. */
  get bytes(): number {
    return this.#template.length;
  }

  /** Writes the message to `out` at `at`. */
  write(out: Uint8Array, at: number, row: Float32Array): void {
    const { frame, step, first } = this.#columns;
    const places = this.#places;
    out.set(this.#template, at);
    writeJsonNumber(out, at + places[0]!, row[frame]!);
    writeJsonNumber(out, at + places[1]!, row[step]!);
    for (let k = 2; k < places.length; k += 1) writeJsonNumber(out, at + places[k]!, row[first + k - 2]!);
  }
}
