import { signal } from '@preact/signals';
import type { Wiring } from '../../../../src/protocol/schemas/robots.ts';

/** Wiring that the scene shows of the draft; null without a draft. */
export const draftWiring = signal<Wiring | null>(null);

/** Body that the row under the pointer highlights in the scene. */
export const litBody = signal<string | null>(null);

/** A body that was clicked in the scene. */
export interface ClickedBody {
  readonly name: string;
  /** px in the viewport */
  readonly x: number;
  readonly y: number;
}
export const clickedBody = signal<ClickedBody | null>(null);
