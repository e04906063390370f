import { stat } from 'node:fs/promises';
import type { Trial, TrialOrder } from '../../train/dry-run/try-training.ts';

/** Number of results kept in memory. */
const KEPT = 8;

/** Runs short trials of trainings. Reuses a result until the file of a clip changes. */
export class Trials {
  readonly #run: (order: TrialOrder) => Promise<Trial>;
  readonly #kept = new Map<string, Promise<Trial>>();

  constructor(run: (order: TrialOrder) => Promise<Trial>) {
    this.#run = run;
  }

  async of(order: TrialOrder): Promise<Trial> {
    const key = await keyOf(order);
    let trial = this.#kept.get(key);
    if (!trial) {
      trial = this.#run(order);
      trial.catch(() => this.#kept.delete(key));
    }
    this.#kept.delete(key);
    this.#kept.set(key, trial);
    for (const old of this.#kept.keys()) if (this.#kept.size > KEPT) this.#kept.delete(old);
    return trial;
  }
}

/** Returns a key of all inputs of a trial. The path of a compiled robot identifies its content. */
async function keyOf({ config, robot, clips, threads }: TrialOrder): Promise<string> {
  const files = await Promise.all(
    clips.map(async ({ name, path }) => {
      const { size, mtimeMs, ino } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0, ino: 0 }));
      return [name, path, size, mtimeMs, ino];
    }),
  );
  // The seed does not affect the result of a trial.
  return JSON.stringify([{ ...config, seed: 0 }, robot.physicsPath, threads, files]);
}
