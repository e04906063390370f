import '../bin/check-node.cjs';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { bundlePackages } from './bundle-packages.mjs';
import { diskProblem, ensureDependencies, fail, ROOT, requireRoom, runOrExit } from './dependencies.mjs';
import { ensureKernels } from './kernels.mjs';
import { BEING_REPLACED, replaceFolder } from './replace-folder.mjs';

const DIST = path.join(ROOT, 'dist');
const STAMP = path.join(DIST, '.stamp.json');
/** Free disk space that a build requires, bytes. */
const BUILD_BYTES = 32 * 2 ** 20;
/** Folder that `kernels.mjs` compiles to WebAssembly. */
const ASSEMBLY = path.join('policy', 'kernels', 'assembly') + path.sep;
/** Source files of each part of the build. */
const SOURCES = {
  clients: ['src/protocol', 'src/gateway/documents', 'scripts/clients.ts', 'scripts/clients', 'package.json'],
  server: [
    'src',
    'tsconfig.json',
    'package-lock.json',
    'scripts/build.mjs',
    'scripts/builtin-data.mjs',
    'scripts/bundle-packages.mjs',
    'scripts/kernels.mjs',
    'scripts/replace-folder.mjs',
  ],
  docs: [
    'docs',
    'README.md',
    'ARCHITECTURE.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'scripts/docs-site.ts',
    'scripts/docs-site',
    'scripts/replace-folder.mjs',
    'clients/python/motion_studio.py',
    'examples',
    'src/protocol',
    'src/gateway/documents',
    'package.json',
    'package-lock.json',
  ],
  page: [
    'web',
    'src/protocol',
    'src/core/math',
    'vite.config.ts',
    'package-lock.json',
    'scripts/build.mjs',
    'scripts/replace-folder.mjs',
  ],
};

/** Files that `scripts/clients.ts` makes from the route table. They are part of the repository. */
const CLIENTS = ['clients/python/motion_studio.py', 'src/protocol/client/studio-api.ts'];

/** Builds what is outdated, by hash of its inputs: the clients from the route table, the server with tsc, the
 *  documentation, the page with Vite. Exits the process if a build fails.
 *  @param {{force?: boolean}} options force: build everything */
export function build(options = {}) {
  try {
    buildStale(options);
  } catch (error) {
    const problem = diskProblem(error.code);
    if (problem === null) throw error;
    fail(problem);
  }
}

function buildStale({ force = false }) {
  ensureKernels();
  const stamps = force ? {} : readStamps();
  for (const [part, make] of [
    ['clients', buildClients],
    ['server', buildServer],
    ['docs', buildDocs],
    ['page', buildPage],
  ]) {
    const sources = hashOf(SOURCES[part]);
    if (stamps[part]?.sources === sources && stamps[part].outputs === outputsOf(part)) continue;
    requireRoom(BUILD_BYTES);
    const start = performance.now();
    delete stamps[part];
    writeStamps(stamps);
    make();
    stamps[part] = { sources: hashOf(SOURCES[part]), outputs: outputsOf(part) };
    writeStamps(stamps);
    process.stderr.write(`built the ${part} in ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
  }
}

function buildClients() {
  runTypeScript('scripts/clients.ts');
}

function buildDocs() {
  runTypeScript('scripts/docs-site.ts');
}

/** Runs a script without the cache of tsx: its folder below the temporary folder may belong to another user. */
function runTypeScript(script) {
  const env = { ...process.env, TSX_DISABLE_CACHE: '1' };
  runOrExit(process.execPath, ['--import', 'tsx', path.join(ROOT, script)], { env });
}

function buildServer() {
  runOrExit(process.execPath, [path.join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json']);
  const sources = filesBelow('src').map((file) => path.relative('src', file));
  const made = new Set();
  for (const file of sources) {
    if (file.startsWith(ASSEMBLY)) continue;
    if (file.endsWith('.ts')) {
      const stem = file.slice(0, -3);
      for (const ending of ['.js', '.js.map', '.d.ts']) made.add(stem + ending);
    } else {
      made.add(file);
      mkdirSync(path.dirname(path.join(DIST, file)), { recursive: true });
      copyFileSync(path.join(ROOT, 'src', file), path.join(DIST, file));
    }
  }
  const modules = [...made].filter((file) => file.endsWith('.js'));
  for (const file of bundlePackages(DIST, modules)) made.add(file);
  for (const file of filesBelow('dist').map((built) => path.relative('dist', built))) {
    if (partOf(file) === 'server' && !made.has(file)) rmSync(path.join(DIST, file));
  }
  // Written last: a service that finds these files takes them instead of computing them.
  const script = path.join(ROOT, 'scripts/builtin-data.mjs');
  replaceFolder(path.join(DIST, 'builtin'), (fresh) => runOrExit(process.execPath, [script, fresh]));
}

/** Sets NODE_ENV: vitest sets it to `test`, and Vite would then build a development page, which is larger, slower and
 *  names its source files. */
function buildPage() {
  const vite = path.join(ROOT, 'node_modules/vite/bin/vite.js');
  const env = { ...process.env, NODE_ENV: 'production' };
  replaceFolder(path.join(DIST, 'web'), (fresh) =>
    runOrExit(process.execPath, [vite, 'build', '--outDir', fresh, '--logLevel', 'warn'], { env }),
  );
}

/** Returns the part of the build that a file of `dist` belongs to; null for the stamps and for unfinished folders. */
function partOf(file) {
  if (file === path.basename(STAMP) || BEING_REPLACED.test(file.split(path.sep)[0])) return null;
  if (file.startsWith(`docs${path.sep}`)) return 'docs';
  return file.startsWith(`web${path.sep}`) ? 'page' : 'server';
}

/** Returns the hash of the names and sizes of a half's outputs: a deleted or truncated file makes it stale. */
function outputsOf(part) {
  if (part === 'clients') return hashOf(CLIENTS.filter((file) => existsSync(path.join(ROOT, file))));
  const hash = createHash('sha256');
  for (const file of filesBelow('dist')) {
    if (partOf(path.relative('dist', file)) !== part) continue;
    hash.update(`\0${file}\0${statSync(path.join(ROOT, file)).size}`);
  }
  return hash.digest('hex');
}

function readStamps() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'));
  } catch {
    return {};
  }
}

function writeStamps(stamps) {
  mkdirSync(DIST, { recursive: true });
  writeFileSync(STAMP, JSON.stringify(stamps));
}

/** Lists the files below a folder. Paths are relative to the repository and sorted. */
function filesBelow(folder) {
  if (!existsSync(path.join(ROOT, folder))) return [];
  return readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)))
    .sort();
}

function hashOf(sources) {
  const hash = createHash('sha256');
  for (const source of sources) {
    const files = path.extname(source) === '' ? filesBelow(source) : [source];
    for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(path.join(ROOT, file)));
  }
  return hash.digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensureDependencies();
  build({ force: !process.argv.includes('--stale') });
}
