import { spawnSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Packages that this machine's Python lacks are installed here. */
const PACKAGES = path.join(ROOT, 'node_modules/.cache/python-client');
const NEEDED = { requests: 'requests', websocket: 'websocket-client', numpy: 'numpy' };

/** Why the Python client cannot be tested; null if it can. Installs missing packages first. */
export function pythonClientProblem(): string | null {
  const missing = missingPackages();
  if (missing === null) return 'no python3';
  if (missing.length === 0) return null;
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', PACKAGES, ...missing];
  const { status, stderr } = spawnSync('python3', install, { encoding: 'utf8', timeout: 120_000 });
  return status === 0 && missingPackages()?.length === 0
    ? null
    : `python3 lacks ${missing.join(', ')}, and pip did not install it: ${stderr.trim().split('\n').at(-1)}`;
}

/** Environment of scripts that use the client. */
export const PYTHON_ENV = {
  PYTHONPATH: [path.join(ROOT, 'clients/python'), PACKAGES].join(path.delimiter),
  PYTHONDONTWRITEBYTECODE: '1',
};

/** Returns the packages to install; null without Python. */
function missingPackages(): string[] | null {
  const probe = `import importlib.util
print(' '.join(name for name in ${JSON.stringify(Object.keys(NEEDED))} if importlib.util.find_spec(name) is None))`;
  const { status, stdout } = spawnSync('python3', ['-c', probe], {
    encoding: 'utf8',
    env: { ...process.env, ...PYTHON_ENV },
  });
  if (status !== 0) return null;
  const names = stdout.trim().split(' ').filter(Boolean) as (keyof typeof NEEDED)[];
  return names.map((name) => NEEDED[name]);
}
