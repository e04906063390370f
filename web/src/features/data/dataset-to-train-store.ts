import { signal } from '@preact/signals';

/** The dataset that Data asks to train next; null: none. */
export const datasetToTrain = signal<string | null>(null);
