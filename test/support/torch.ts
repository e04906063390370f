import { spawnSync } from 'node:child_process';
import { PYTHONS, type Python } from './python.ts';

/** A Python interpreter with torch; null if there is none, then the tests that need it are skipped. */
export const TORCH: Python | null =
  PYTHONS.find(({ command }) => spawnSync(command, ['-c', 'import torch']).status === 0) ?? null;
if (TORCH === null)
  console.warn(
    'no python3 with torch (set MOTION_STUDIO_PYTHON to one): the exchange of checkpoints with torch is not tested',
  );
