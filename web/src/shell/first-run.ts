import { computed } from '@preact/signals';
import { isOpen } from '../features/data/preview-store.ts';
import { owner } from '../net/scene-owner.ts';
import { firstRunFolded } from '../ui/layout.ts';

/** Whether the first-run card is shown over the live robot: until a clip was watched, the card was closed or an area
 *  was chosen. */
export const firstRunShown = computed(
  () => !firstRunFolded.value && !isOpen.value && (owner.value === null || owner.value === 'robots'),
);
