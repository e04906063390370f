import path from 'node:path';
import { exists } from '../../core/files/exists.ts';

/** Chooses the folders of new runs: `<date>_<name>`, as rsl_rl does. A name is chosen only once, even before its folder
 *  exists. */
export class RunNames {
  readonly #root: string;
  readonly #given = new Set<string>();

  /** @param root `<workspace>/logs/rsl_rl` */
  constructor(root: string) {
    this.#root = root;
  }

  /** @param name '': only the date  @param taken whether a job uses this run, `<experiment>/<folder>`
   *  @returns `<experiment>/<folder>`, relative to the root; call `release` once a job has it or the launch has
   *  failed */
  async take(experiment: string, name: string, now: Date, taken: (run: string) => boolean): Promise<string> {
    const stem = `${experiment}/${dateText(now)}${name === '' ? '' : `_${name}`}`;
    for (let number = 1; ; number += 1) {
      const run = number === 1 ? stem : `${stem}-${number}`;
      if (this.#given.has(run) || taken(run)) continue;
      this.#given.add(run);
      if (!(await exists(path.join(this.#root, run)))) return run;
      this.#given.delete(run);
    }
  }

  /** Ends the reservation of a run's name. */
  release(run: string): void {
    this.#given.delete(run);
  }
}

/** Formats the local time, because people search for runs by local time. */
function dateText(now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-');
  return `${day}_${[now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('-')}`;
}
