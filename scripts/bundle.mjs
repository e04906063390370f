/** `node scripts/bundle.mjs <folder of the build>`: joins the modules of each program and each thread into a few files.
 *  Node takes about a millisecond of CPU for each module that it loads, and a start loads 900 of them. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { rolldown } from 'rolldown';

/** Packages that nearly every program or thread loads. The others are loaded from `node_modules`. */
const BUNDLED = ['typebox', 'execa', 'ajv', 'yaml'];
/** Folder of the bundles in the build. All files are directly in it, so that paths relative to them have one depth. */
const FOLDER = 'bundle';

const dist = path.resolve(process.argv[2]);
const threads = readdirSync(dist, { recursive: true }).filter((file) => /^workers\b.*\.worker\.js$/.test(file));
/** Files that Node or a thread starts with, and the service, which the command line loads after it has read its options.
 *  Relative to the build. */
const ENTRIES = ['main', 'run-service', 'job-process', 'health'].map((name) => path.join('cli', `${name}.js`));
ENTRIES.push(...threads.sort());

/** Bundles what `entry` imports, and replaces `entry` by an import of the bundle. */
async function bundle(entry) {
  const name = path.basename(entry, '.js');
  const build = await rolldown({
    input: { [name]: path.join(dist, entry) },
    platform: 'node',
    external: isExternal,
    plugins: [otherEntries(entry), originalPlaces],
  });
  const { output } = await build.write({
    dir: path.join(dist, FOLDER),
    entryFileNames: '[name].js',
    chunkFileNames: `${name}-[name]-[hash].js`,
  });
  const { exports } = output.find(({ isEntry }) => isEntry);
  const from = path.posix.join(path.relative(path.dirname(entry), FOLDER).split(path.sep).join('/'), `${name}.js`);
  const code = exports.length > 0 ? `export { ${exports.join(', ')} } from '${from}';\n` : `import '${from}';\n`;
  writeFileSync(path.join(dist, entry), code);
}

function isExternal(id, importer) {
  if (id.startsWith('.') || path.isAbsolute(id)) return false;
  if (id.startsWith('node:')) return true;
  // What a bundled package imports is bundled, too.
  return !importer.includes('node_modules') && !BUNDLED.includes(id.split('/')[0]);
}

/** An entry loads another entry from that one's bundle. */
function otherEntries(entry) {
  return {
    name: 'other-entries',
    resolveId(source, importer) {
      if (importer === undefined || !source.startsWith('.')) return null;
      const file = path.relative(dist, path.resolve(path.dirname(importer), source));
      if (file === entry || !ENTRIES.includes(file)) return null;
      return { id: `./${path.basename(file)}`, external: true };
    },
  };
}

/** Modules find files next to them by `import.meta.url`: it stays the address of the module, not of its bundle. */
const originalPlaces = {
  name: 'original-places',
  transform(code, id) {
    if (!id.startsWith(dist + path.sep) || !code.includes('import.meta.url')) return null;
    const place = ['..', ...path.relative(dist, id).split(path.sep)].join('/');
    const address = `new URL(${JSON.stringify(place)}, import.meta.url).href`;
    return { code: code.replaceAll('import.meta.url', address) };
  },
};

rmSync(path.join(dist, FOLDER), { recursive: true, force: true });
for (const entry of ENTRIES) await bundle(entry);
