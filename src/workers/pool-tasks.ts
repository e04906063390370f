import { checkClip } from '../data/clip/check-clip.ts';
import { type ClipFacts, readClipFacts } from '../data/clip/clip-facts.ts';
import { loadClip } from '../data/clip/load-clip.ts';
import { convertClipFile } from '../data/conversion/convert-clip-file.ts';
import { loadSource } from '../data/conversion/load-source.ts';
import { clipPlotsReply } from '../plots/clip-plots-reply.ts';

/** What the pool's threads can do: pure functions of files, called by name. */
export const POOL_TASKS = { checkClip, convertClipFile, readClipFacts, loadClip, loadSource, clipPlotsReply } as const;

export type PoolTasks = typeof POOL_TASKS;
export type { ClipFacts };
