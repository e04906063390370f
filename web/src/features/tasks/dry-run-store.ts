import { signal } from '@preact/signals';
import { call } from '../../net/api.ts';
import { datasets } from '../data/data-store.ts';
import { DryRuns } from './dry-runs.ts';

export type InspectorTab = 'changes' | 'yaml' | 'checks';
export const inspectorTab = signal<InspectorTab>('changes');

/** The dry runs of presets on this page. */
export const { dryRun, preferredDataset, tryTask } = new DryRuns({ call, datasets });
