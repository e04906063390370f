import { signal } from '@preact/signals';

export type JobTab = 'curves' | 'log' | 'settings' | 'checkpoints';

/** What of the chosen job is shown. */
export const jobTab = signal<JobTab>('curves');
