import { signal } from '@preact/signals';
import type { SceneOwner } from '../../../src/protocol/events.ts';

/** The owner of the scene, as known to this page; null before the first event. */
export const owner = signal<SceneOwner | null>(null);
