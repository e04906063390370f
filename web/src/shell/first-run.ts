import { computed } from '@preact/signals';
import { isOpen } from '../features/data/preview-store.ts';
import { owner } from '../net/scene-owner.ts';
import { firstRunFolded } from '../ui/layout.ts';

/** Whether the first-run card is shown over the live robot: until the user watches a clip, closes the card or opens
 *  an area. */
export const firstRunShown = computed(
  () => !firstRunFolded.value && !isOpen.value && (owner.value === null || owner.value === 'robots'),
);
