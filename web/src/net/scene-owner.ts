import { signal } from '@preact/signals';
import type { SceneOwner } from '../../../src/protocol/events.ts';

/** The scene's owner as this page knows it; null before the first event. */
export const owner = signal<SceneOwner | null>(null);
