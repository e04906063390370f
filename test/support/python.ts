import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';

/** A Python interpreter with numpy. */
export interface Python {
  readonly command: string;
  /** version of numpy */
  readonly version: string;
}

/** Interpreters with numpy on this machine, one per version of numpy; `MOTION_STUDIO_PYTHON` adds another one. */
export const PYTHONS: readonly Python[] = findPythons();
if (PYTHONS.length === 0)
  console.warn(
    'no python3 with numpy (set MOTION_STUDIO_PYTHON to one): the exchange of files with numpy is not tested',
  );

function findPythons(): Python[] {
  const found = new Map<string, Python>();
  for (const command of [process.env['MOTION_STUDIO_PYTHON'] ?? '', '/usr/bin/python3', 'python3']) {
    if (command === '') continue;
    const { status, stdout } = spawnSync(command, ['-c', 'import numpy; print(numpy.__version__)'], {
      encoding: 'utf8',
    });
    const version = stdout?.trim() ?? '';
    if (status === 0 && !found.has(version)) found.set(version, { command, version });
  }
  return [...found.values()];
}

/** Runs a script; `args` are its `sys.argv[1:]`. @returns its output */
export function runPython(python: Python, script: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(python.command, ['-c', script, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout.trim();
}
