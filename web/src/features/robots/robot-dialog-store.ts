import { signal } from '@preact/signals';

/** A dialog about a robot, or about an upload that is not a robot yet. */
export interface RobotDialog {
  readonly kind: 'spec' | 'delete' | 'remove-upload';
  readonly id: string;
}

/** The open dialog; null if none is open. */
export const robotDialog = signal<RobotDialog | null>(null);
