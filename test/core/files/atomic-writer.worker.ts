import path from 'node:path';
import { workerData } from 'node:worker_threads';
import { writeAtomicSync } from '../../../src/core/files/atomic-file.ts';

/** Waits for the common start of all writers, then writes its files one after the other. */
const { folder, name, files, start } = workerData as { folder: string; name: string; files: number; start: Int32Array };
Atomics.wait(start, 0, 0);
for (let k = 0; k < files; k++) writeAtomicSync(path.join(folder, `${name}-${k}`), name);
