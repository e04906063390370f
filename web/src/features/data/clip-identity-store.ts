import { computed, effect, untracked } from '@preact/signals';
import { endedTasks } from '../../net/busy.ts';
import { datasets } from './data-store.ts';
import { isOpen, preview } from './preview-store.ts';

/** Identity of the open clip; null unless exactly one clip is open. */
export const clipIdentity = computed(() => {
  const open = preview.value;
  const id = datasets.value?.robot;
  if (id === undefined || open === null || !isOpen.value || open.grid !== null || open.clip === null) return null;
  return JSON.stringify([id, open.dataset, open.clip, open.source, open.frames]);
});

const loading = computed(() => preview.value?.loading === true);
/** Last busy task in which the service reloaded the open clip because its file changed. The reload can be too short for
 *  `loading` to show it. */
const reloaded = computed(() => endedTasks.value.find(({ task }) => task.startsWith('reload-'))?.task ?? null);

/** Calls `use` for each clip that is opened, also if the same clip is reloaded, because its file may have changed.
 *  @param use receives null when no single clip is open; the function it returns is called before the next `use`
 *  @returns stops the calls */
export function onClip(use: (identity: string | null) => (() => void) | undefined): () => void {
  return effect(() => {
    const identity = clipIdentity.value;
    void reloaded.value;
    return loading.value ? undefined : untracked(() => use(identity));
  });
}
