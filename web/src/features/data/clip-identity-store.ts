import { computed, effect, untracked } from '@preact/signals';
import { endedTasks } from '../../net/busy.ts';
import { datasets } from './data-store.ts';
import { isOpen, preview } from './preview-store.ts';

/** What identifies the open clip; null where no single one is open. */
export const clipIdentity = computed(() => {
  const open = preview.value;
  const id = datasets.value?.robot;
  if (id === undefined || open === null || !isOpen.value || open.grid !== null || open.clip === null) return null;
  return JSON.stringify([id, open.dataset, open.clip, open.source, open.frames]);
});

const loading = computed(() => preview.value?.loading === true);
/** The last time that the service has read the open clip anew because its file changed: too short to be seen loading. */
const reloaded = computed(() => endedTasks.value.find(({ task }) => task.startsWith('reload-'))?.task ?? null);

/** Calls `use` with each clip that is open, also with the same one loaded again: its file may be another.
 *  @param use given null where none is open; what it returns is called before the next  @returns ends it */
export function onClip(use: (identity: string | null) => (() => void) | undefined): () => void {
  return effect(() => {
    const identity = clipIdentity.value;
    void reloaded.value;
    return loading.value ? undefined : untracked(() => use(identity));
  });
}
