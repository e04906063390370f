import { signal } from '@preact/signals';
import { goTo } from '../../ui/layout.ts';

/** Path of the run that the form of Train continues next; null: none. */
export const resumeRequest = signal<string | null>(null);

/** Opens Train with the form filled in to continue a run. @param run `<experiment>/<run>` */
export function askResume(run: string): void {
  resumeRequest.value = run;
  goTo('train');
}
