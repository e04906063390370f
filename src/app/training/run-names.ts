import { lstat } from 'node:fs/promises';
import path from 'node:path';

/** Gives trainings the folders of their runs: `<date>_<name>` as upstream has it, each one once, also while nobody has made
 *  it yet. */
export class RunNames {
  readonly #root: string;
  readonly #given = new Set<string>();

  /** @param root `<workspace>/logs/rsl_rl` */
  constructor(root: string) {
    this.#root = root;
  }

  /** @param name '': the date alone @param taken whether a job has this run, `<experiment>/<folder>`
   *  @returns `<experiment>/<folder>`, a path of the root; to be given back with `release` */
  async take(experiment: string, name: string, now: Date, taken: (run: string) => boolean): Promise<string> {
    const stem = `${experiment}/${dateText(now)}${name === '' ? '' : `_${name}`}`;
    for (let number = 1; ; number += 1) {
      const run = number === 1 ? stem : `${stem}-${number}`;
      if (this.#given.has(run) || taken(run)) continue;
      this.#given.add(run);
      if (!(await isThere(path.join(this.#root, run)))) return run;
      this.#given.delete(run);
    }
  }

  /** A job has it now, or nobody wants it. */
  release(run: string): void {
    this.#given.delete(run);
  }
}

/** Local time, as people look for their runs. */
function dateText(now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-');
  return `${day}_${[now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('-')}`;
}

async function isThere(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false;
      throw error;
    },
  );
}
