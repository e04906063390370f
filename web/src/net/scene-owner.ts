import { signal } from '@preact/signals';
import type { SceneOwner } from '../../../src/protocol/events.ts';

export const owner = signal<SceneOwner | null>(null);

/** A change of the scene this soon after something done here was caused by it. */
const OWN_MS = 5000;
let lastOwn = Number.NEGATIVE_INFINITY;

/** Marks that this page asks for something that may take the scene. */
export function ownAction(): void {
  lastOwn = performance.now();
}

export function causedHere(): boolean {
  return performance.now() - lastOwn < OWN_MS;
}
