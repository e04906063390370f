/** The streams of a process. */
interface Streams {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean };
}

/** A table for people. A column whose title begins with a space is aligned right. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Number of progress lines per job where stderr is not a terminal. */
const PROGRESS_STEPS = 10;

/** Prints results on stdout, as text or JSON, and progress on stderr. */
export class Output {
  readonly #streams: Streams;
  readonly json: boolean;
  #lastStep = '';
  #open = false;

  constructor(streams: Streams, json: boolean) {
    this.#streams = streams;
    this.json = json;
  }

  /** Prints the result: `value` as JSON with `--json`, else the output of `text`. */
  result(value: unknown, text: () => void): void {
    this.endProgress();
    if (this.json) this.#streams.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
    else text();
  }

  line(text: string): void {
    this.#streams.stdout.write(`${text}\n`);
  }

  /** @param empty printed if there are no rows */
  table({ columns, rows }: Table, empty = ''): void {
    if (rows.length === 0 && empty !== '') {
      this.line(empty);
      return;
    }
    const right = columns.map((title) => title.startsWith(' '));
    const lines = [columns.map((title) => title.trim()), ...rows];
    const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
    for (const line of lines) {
      const cells = line.map((cell, at) => (right[at] ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!)));
      this.line(cells.join('  ').trimEnd());
    }
  }

  /** Prints a note on stderr, where it does not mix with the result. */
  note(text: string): void {
    this.endProgress();
    this.#streams.stderr.write(`${text}\n`);
  }

  /** Shows progress: in place on a terminal, else one line for every tenth and every new state.
   *  @param share 0..1; null: unknown */
  progress(name: string, state: string, share: number | null, more: string): void {
    const percent = share === null ? '' : ` ${String(Math.floor(100 * share)).padStart(3)} %`;
    const text = `${name}: ${state}${percent}${more === '' ? '' : `, ${more}`}`;
    if (this.#streams.stderr.isTTY === true) {
      this.#streams.stderr.write(`\r\x1b[K${text}`);
      this.#open = true;
      return;
    }
    const step = `${state} ${share === null ? '' : Math.floor(PROGRESS_STEPS * share)}`;
    if (step === this.#lastStep) return;
    this.#lastStep = step;
    this.#streams.stderr.write(`${text}\n`);
  }

  /** Ends the line of progress on a terminal. */
  endProgress(): void {
    if (this.#open) this.#streams.stderr.write('\n');
    this.#open = false;
  }
}
