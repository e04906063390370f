import path from 'node:path';
import { inUnseenFolder, moveIntoPlace } from '../../core/files/atomic-file.ts';
import { checkName } from '../../core/files/names.ts';
import type { DatasetStore } from '../../data/dataset-store.ts';
import type { ClipRobotSource } from '../../motion/clip-robot.ts';
import type { BodyOf } from '../../protocol/route.ts';
import type { generateClips } from '../../protocol/routes/datasets.ts';
import type { BusyTasks } from '../busy-tasks.ts';

/** Name of the dataset if the request does not give one. */
const BASICS = 'basics';

export interface BasicClipsDeps {
  readonly busy: BusyTasks;
  /** the selected robot */
  robot(): ClipRobotSource;
  /** Returns the dataset store of a robot. */
  store(robot: ClipRobotSource): DatasetStore;
  /** Writes the clips into a folder, in a thread of the pool. @returns their names */
  write(robot: ClipRobotSource, folder: string): Promise<string[]>;
}

/** Creates datasets of generated motions, with which a new robot gets its first policy. */
export class BasicClips {
  readonly #deps: BasicClipsDeps;

  constructor(deps: BasicClipsDeps) {
    this.#deps = deps;
  }

  /** Starts the generation, which is slow. @returns the name of the busy task
   *  @throws bad_input for an invalid or taken name */
  async start({ dataset = BASICS }: BodyOf<typeof generateClips>): Promise<string> {
    const robot = this.#deps.robot();
    const store = this.#deps.store(robot);
    const target = await store.freePlace(checkName('dataset', dataset, 'dataset'));
    const subject = `generate ${target}`;
    return this.#deps.busy.start('generate', `Generating ${dataset}`, subject, async (progress) => {
      progress.report('computing');
      const parent = path.dirname(target);
      const clips = await inUnseenFolder(parent, async (unseen) => {
        const names = await this.#deps.write(robot, unseen);
        progress.signal.throwIfAborted();
        // Another client may have created a dataset of this name in the meantime.
        await store.freePlace(dataset);
        await moveIntoPlace(unseen, target);
        return names;
      });
      store.markDirty(parent);
      await store.refresh();
      progress.made({ dataset, clips });
      progress.outcome(`Dataset ${dataset} generated: ${clips.join(', ')}`);
    });
  }
}
