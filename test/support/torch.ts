import { spawnSync } from 'node:child_process';
import { PYTHONS, type Python } from './python.ts';

/** A Python that has torch; null where there is none, and tests with it are skipped. */
export const TORCH: Python | null =
  PYTHONS.find(({ command }) => spawnSync(command, ['-c', 'import torch']).status === 0) ?? null;
if (TORCH === null)
  console.warn('no python3 with torch (MOTION_STUDIO_PYTHON names one): checkpoints are not exchanged with it');
