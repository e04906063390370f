import { effect, signal } from '@preact/signals';
import type { call } from '../../net/api.ts';
import type { datasets } from '../data/data-store.ts';
import { clipsOf, firstChoice, readyClips } from '../data/shared/counts.ts';

export interface FirstClip {
  readonly dataset: string;
  readonly clip: string;
  /** number of clips in the dataset */
  readonly total: number;
}

/** Names of clips that are preferred for the first steps of a new user: walking clips. */
const PREFERRED = /walk/i;

/** Dependencies of FirstClipFinder. */
export interface FirstClipFinderDeps {
  readonly call: typeof call;
  readonly datasets: typeof datasets;
}

/** Finds the clip that the checklist for new users offers. */
export class FirstClipFinder {
  readonly #deps: FirstClipFinderDeps;

  readonly #first = signal<FirstClip | null>(null);
  /** True while the clips of a dataset are being read to find the first clip. */
  readonly firstClipSought = signal(false);
  #askedFor = '';
  #watching = false;

  /** Returns the clip to offer; null until it is known, or if there is none. */
  readonly listFirstClips = (): FirstClip | null => {
    if (!this.#watching) {
      this.#watching = true;
      effect(() => {
        const choice = firstChoice(this.#deps.datasets.state.value.value?.datasets ?? [], null);
        const set = choice !== null && clipsOf(choice) > 0 ? choice : undefined;
        const key =
          set === undefined
            ? ''
            : `${this.#deps.datasets.state.value.value?.robot}/${set.name}/${clipsOf(set)}/${readyClips(set)}`;
        if (key === this.#askedFor) return;
        this.#askedFor = key;
        this.firstClipSought.value = set !== undefined;
        if (set === undefined) this.#first.value = null;
        else void this.#find(set.name, key);
      });
    }
    return this.#first.value;
  };

  readonly #find = async (dataset: string, key: string): Promise<void> => {
    try {
      const { clips, total } = await this.#deps.call('GET /api/data/clips', { query: { dataset, size: 100 } });
      if (key !== this.#askedFor) return;
      const good = clips.filter((clip) => clip.error === null);
      const clip = good.find((entry) => PREFERRED.test(entry.name)) ?? good[0];
      this.#first.value = clip === undefined ? null : { dataset, clip: clip.name, total };
    } catch {
      // The area Data reports errors of this listing. Here the step is shown without a button.
      if (key === this.#askedFor) this.#first.value = null;
    } finally {
      if (key === this.#askedFor) this.firstClipSought.value = false;
    }
  };

  constructor(deps: FirstClipFinderDeps) {
    this.#deps = deps;
  }
}
