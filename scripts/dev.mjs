/** `npm run dev`: runs the service from its sources, restarts it when a source changes, and rebuilds the page. */
import '../bin/check-node.cjs';
import { spawn } from 'node:child_process';
import { statSync, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { ensureDependencies, ROOT } from './dependencies.mjs';
import { ensureKernels } from './kernels.mjs';

/** Wait after a change: editors write several files at once. */
const SETTLE_MS = 150;

ensureDependencies();

let service = null;
let stopping = false;

function startService() {
  ensureKernels();
  const args = ['--import', 'tsx', path.join(ROOT, 'src/cli/main.ts'), ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  service = child;
  child.on('exit', (code, signal) => {
    if (service === child) service = null;
    if (!stopping && code !== 0 && signal === null) process.stderr.write('waiting for a change …\n');
  });
}

/** Waits until the old service has released its port and workspace. */
function restartService() {
  const old = service;
  if (old === null) return startService();
  old.once('exit', startService);
  old.kill('SIGTERM');
}

let timer = null;
/** Watches `folder`. A subfolder that is created later is watched too. */
function watchFolder(folder) {
  watch(folder, (kind, name) => {
    const entry = name === null ? folder : path.join(folder, name);
    if (kind === 'rename' && statSync(entry, { throwIfNoEntry: false })?.isDirectory()) watchFolder(entry);
    clearTimeout(timer);
    timer = setTimeout(() => {
      process.stderr.write('restarting the service …\n');
      restartService();
    }, SETTLE_MS);
  });
}

const vite = path.join(ROOT, 'node_modules/vite/bin/vite.js');
const page = spawn(process.execPath, [vite, 'build', '--watch', '--logLevel', 'warn'], { cwd: ROOT, stdio: 'inherit' });

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    stopping = true;
    page.kill('SIGTERM');
    if (service === null) process.exit(0);
    service.once('exit', (code) => process.exit(code ?? 0));
    service.kill('SIGTERM');
  });
}

startService();
const src = path.join(ROOT, 'src');
watchFolder(src);
for (const entry of await readdir(src, { recursive: true, withFileTypes: true })) {
  if (entry.isDirectory()) watchFolder(path.join(entry.parentPath, entry.name));
}
