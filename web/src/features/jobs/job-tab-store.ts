import { signal } from '@preact/signals';

export type JobTab = 'curves' | 'log' | 'settings' | 'checkpoints';

/** The tab that is shown for the selected job. */
export const jobTab = signal<JobTab>('curves');
