import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/** Most kB (gzip) of a part of the page: what it needs to stand, the drawing thread's code, what opening plots fetches (half
 *  of it is uPlot), and all of it with every part that comes later.
 *  The total is a sum of areas that hardly anybody opens all: Robots, Import, Data, Tasks, Train, Play, Plots and Status, each
 *  in chunks of its own, beside the shell and the drawing thread. An area is some 10 to 20 kB; what a new one costs whoever
 *  does not open it is told by the shell's budget, not by this one, which is there for a library that comes in unseen. */
export const BUDGET_KB = Object.freeze({ shell: 60, scene: 150, plots: 45, total: 380 });

/** Sizes of a built page by what loads them, kB after gzip. The shell is what `index.html` names and what that imports
 *  at once; every other file is there when its part of the page is first opened.
 *  @param {string} folder the built page, with `index.html` and `assets/` */
export function pageSizes(folder) {
  const assets = new Map(
    readdirSync(path.join(folder, 'assets')).map((name) => [name, readFileSync(path.join(folder, 'assets', name))]),
  );
  const sizes = { shell: 0, scene: 0, plots: 0, total: 0 };
  const shell = filesAtOnce(readFileSync(path.join(folder, 'index.html'), 'utf8'), assets);
  const plots = filesOnDemand('plots-view-', assets);
  for (const [name, content] of assets) {
    const kB = gzipSync(content, { level: 9 }).length / 1000;
    if (name.startsWith('scene.worker')) sizes.scene += kB;
    else if (shell.has(name)) sizes.shell += kB;
    else if (plots.has(name)) sizes.plots += kB;
    sizes.total += kB;
  }
  return sizes;
}

/** @param {ReturnType<typeof pageSizes>} sizes @returns one sentence for each part that is too large */
export function overBudget(sizes) {
  return Object.entries(BUDGET_KB)
    .filter(([part, most]) => sizes[part] > most)
    .map(([part, most]) => `${part}: ${sizes[part].toFixed(1)} kB gzip, the budget is ${most} kB`);
}

/** Names of the assets that a document or script loads at once, through all static imports. */
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

/** Names of the assets that are fetched for a chunk when it is asked for: itself, its static imports, and the files that the
 *  asking script lists beside it (its styles). By name alone a library shared with another area would go uncounted. */
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
