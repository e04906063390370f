import { signal } from '@preact/signals';
import { goTo } from '../../ui/layout.ts';

/** Path of the run that the form of the area Train will continue; null: none. */
export const resumeRequest = signal<string | null>(null);

/** Opens the area Train and fills its form so that it continues a run. @param run `<experiment>/<run>` */
export function askResume(run: string): void {
  resumeRequest.value = run;
  goTo('train');
}
