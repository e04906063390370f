import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/** Most kB (gzip) of a part of the page: what it needs to stand, the drawing thread's code, the Plots area (half of it is
 *  uPlot), and all of it with every part that comes later. */
export const BUDGET_KB = Object.freeze({ shell: 60, scene: 150, plots: 42, total: 360 });

/** Sizes of a built page by what loads them, kB after gzip. The shell is what `index.html` names and what that imports
 *  at once; every other file is there when its part of the page is first opened.
 *  @param {string} folder the built page, with `index.html` and `assets/` */
export function pageSizes(folder) {
  const assets = new Map(
    readdirSync(path.join(folder, 'assets')).map((name) => [name, readFileSync(path.join(folder, 'assets', name))]),
  );
  const sizes = { shell: 0, scene: 0, plots: 0, total: 0 };
  const shell = filesAtOnce(readFileSync(path.join(folder, 'index.html'), 'utf8'), assets);
  for (const [name, content] of assets) {
    const kB = gzipSync(content, { level: 9 }).length / 1000;
    if (name.startsWith('scene.worker')) sizes.scene += kB;
    else if (shell.has(name)) sizes.shell += kB;
    else if (name.startsWith('plots-')) sizes.plots += kB;
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
