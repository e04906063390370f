import { computed } from '@preact/signals';
import { owner } from '../service/owner.ts';
import { isOpen } from '../service/preview.ts';
import { firstRunFolded } from '../state/ui.ts';

/** The checklist lies over the live robot until a clip was watched, the card closed or an area chosen. */
export const firstRunShown = computed(
  () => !firstRunFolded.value && !isOpen.value && (owner.value === null || owner.value === 'robots'),
);
