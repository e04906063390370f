import { checkClip } from '../data/clip/check-clip.ts';
import { type ClipFacts, readClipFacts } from '../data/clip/clip-facts.ts';
import { loadClip } from '../data/clip/load-clip.ts';
import { convertClipFile } from '../data/conversion/convert-clip-file.ts';

/** What the pool's threads can do: pure functions of files, called by name. */
export const POOL_TASKS = { checkClip, convertClipFile, readClipFacts, loadClip } as const;

export type PoolTasks = typeof POOL_TASKS;
export type { ClipFacts };
