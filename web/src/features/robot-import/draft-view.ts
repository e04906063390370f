import { signal } from '@preact/signals';
import type { Wiring } from '../../../../src/protocol/schemas/robots.ts';

/** The wizard that makes a robot of model files lies over Robots. */
export const importing = signal(false);

/** Wiring of the robot that is being imported, as its scene shows it; null while there is none. */
export const draftWiring = signal<Wiring | null>(null);

/** Body that a row under the mouse lights up in the scene. */
export const litBody = signal<string | null>(null);

/** Body that a person clicked in the scene, px in the viewport. */
export interface ClickedBody {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}
export const clickedBody = signal<ClickedBody | null>(null);

/** A dialog about a robot of the list. */
export interface RobotDialog {
  readonly kind: 'spec' | 'delete' | 'remove-upload';
  readonly id: string;
}
export const robotDialog = signal<RobotDialog | null>(null);
