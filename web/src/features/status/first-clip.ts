import { effect, signal } from '@preact/signals';
import { call } from '../../net/api.ts';
import { datasets, firstChoice } from '../data/data-store.ts';
import { clipsOf, readyClips } from '../data/shared/counts.ts';

export interface FirstClip {
  readonly dataset: string;
  readonly clip: string;
  /** clips in the dataset */
  readonly total: number;
}

/** The clip that a newcomer is offered: a walk where there is one. */
const PREFERRED = /walk/i;
const first = signal<FirstClip | null>(null);
/** A dataset with clips is being asked for them. */
export const firstClipSought = signal(false);
let askedFor = '';
let watching = false;

/** The clip to offer; null until it is known or while there is none. */
export function listFirstClips(): FirstClip | null {
  if (!watching) {
    watching = true;
    effect(() => {
      const choice = firstChoice(datasets.state.value.value?.datasets ?? [], null);
      const set = choice !== null && clipsOf(choice) > 0 ? choice : undefined;
      const key =
        set === undefined ? '' : `${datasets.state.value.value?.robot}/${set.name}/${clipsOf(set)}/${readyClips(set)}`;
      if (key === askedFor) return;
      askedFor = key;
      firstClipSought.value = set !== undefined;
      if (set === undefined) first.value = null;
      else void find(set.name, key);
    });
  }
  return first.value;
}

async function find(dataset: string, key: string): Promise<void> {
  try {
    const { clips, total } = await call('GET /api/data/clips', { query: { dataset, size: 100 } });
    if (key !== askedFor) return;
    const good = clips.filter((clip) => clip.error === null);
    const clip = good.find((entry) => PREFERRED.test(entry.name)) ?? good[0];
    first.value = clip === undefined ? null : { dataset, clip: clip.name, total };
  } catch {
    // the Data area tells what is wrong with the listing; here the step stays without a button
    if (key === askedFor) first.value = null;
  } finally {
    if (key === askedFor) firstClipSought.value = false;
  }
}
