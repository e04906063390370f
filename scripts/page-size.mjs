import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/** Size limits of the page's parts, kB after gzip.
 *  - shell: the files that the page loads first. Every user loads them, so a new area should add little.
 *  - scene: the code of the drawing thread.
 *  - plots: the files that opening a plot loads; half of their size is uPlot.
 *  - font: the typeface, which is preloaded and already compressed.
 *  - total: all chunks. Each area has 10 to 20 kB and loads when it is opened. The limit detects a large new
 *    library. */
export const BUDGET_KB = Object.freeze({ shell: 64, scene: 155, plots: 47, font: 50, total: 510 });

/** Returns the sizes of the parts of a built page, kB after gzip. The shell consists of the files that `index.html`
 *  names and their static imports. Every other file loads when its part of the page is first opened.
 *  @param {string} folder the built page, with `index.html` and `assets/` */
export function pageSizes(folder) {
  const assets = new Map(
    readdirSync(path.join(folder, 'assets')).map((name) => [name, readFileSync(path.join(folder, 'assets', name))]),
  );
  const sizes = { shell: 0, scene: 0, plots: 0, font: 0, total: 0 };
  const shell = filesAtOnce(readFileSync(path.join(folder, 'index.html'), 'utf8'), assets);
  const plots = filesOnDemand('plots-view-', assets);
  for (const [name, content] of assets) {
    const kB = gzipSync(content, { level: 9 }).length / 1000;
    if (name.endsWith('.woff2')) sizes.font += kB;
    else if (name.startsWith('scene.worker')) sizes.scene += kB;
    else if (shell.has(name)) sizes.shell += kB;
    else if (plots.has(name)) sizes.plots += kB;
    sizes.total += kB;
  }
  return sizes;
}

/** Returns one sentence for each part that exceeds its limit. @param {ReturnType<typeof pageSizes>} sizes */
export function overBudget(sizes) {
  return Object.entries(BUDGET_KB)
    .filter(([part, most]) => sizes[part] > most)
    .map(([part, most]) => `${part}: ${sizes[part].toFixed(1)} kB gzip, the budget is ${most} kB`);
}

/** Returns the names of the assets that a document or script loads, with all static imports. */
function filesAtOnce(text, assets, found = new Set()) {
  const names = [...text.matchAll(/(?:src|href)="\.\/assets\/([^"]+)"|\b(?:from|import)\s*"\.\/([^"]+)"/g)];
  for (const [, linked, imported] of names) {
    const name = linked ?? imported;
    if (found.has(name) || !assets.has(name)) continue;
    found.add(name);
    filesAtOnce(String(assets.get(name)), assets, found);
  }
  return found;
}

/** Returns the names of the assets that a dynamic import loads: the chunk, its static imports, and the files that the
 *  importing script lists beside it (its styles). File names alone are not enough: they miss a library shared with
 *  another area. */
function filesOnDemand(prefix, assets) {
  const found = new Set();
  for (const [name, content] of assets) {
    const text = String(content);
    if (name.startsWith(prefix) && name.endsWith('.js')) filesAtOnce(text, assets, found.add(name));
    if (!name.endsWith('.js')) continue;
    const asked = new RegExp(`import\\(["'\`]\\./${prefix}[^)]*\\)[^;]*?__vite__mapDeps\\(\\[([\\d,]+)\\]\\)`).exec(
      text,
    );
    const listed = /\bm\.f=(\[[^\]]*\])/.exec(text);
    if (asked === null || listed === null) continue;
    const files = JSON.parse(listed[1]).map((file) => path.posix.basename(file));
    for (const index of asked[1].split(',')) if (assets.has(files[index])) found.add(files[index]);
  }
  return found;
}
