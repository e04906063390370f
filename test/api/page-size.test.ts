import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { BUDGET_KB, overBudget, pageSizes } from '../../scripts/page-size.mjs';

test('the built page stays within its size budget', () => {
  const sizes = pageSizes(fileURLToPath(new URL('../../dist/web', import.meta.url)));
  expect(sizes.shell).toBeGreaterThan(20);
  expect(sizes.scene).toBeGreaterThan(50);
  expect(sizes.plots).toBeGreaterThan(25); // including uPlot, whichever file contains it
  expect(overBudget(sizes)).toEqual([]);
});

test('each file counts for the part of the page that loads it, and a part over its limit is named', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'page-size-'));
  const noise = (kB: number) => Array.from({ length: 1000 * kB }, () => String.fromCharCode(33 + Math.random() * 90));
  mkdirSync(path.join(folder, 'assets'));
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
  write('index.html', '<script type="module" src="./assets/index-a.js"></script>');
  write('assets/index-a.js', 'import{x}from"./shared-b.js";const late=()=>import("./plots-view-c.js");');
  write('assets/shared-b.js', `export const x="${noise(10).join('').replace(/["\\]/g, ' ')}"`);
  write('assets/plots-view-c.js', 'import{l}from"./library-e.js";import{x}from"./shared-b.js";export const y=l;');
  write('assets/library-e.js', `export const l="${noise(60).join('').replace(/["\\]/g, ' ')}"`);
  write(
    'assets/asks-f.js',
    `const d=(m.f=["./plots-view-c.js","./plots-g.css"]);import(\`./plots-view-c.js\`).then(e=>e.P),__vite__mapDeps([0,1])`,
  );
  write('assets/plots-g.css', noise(1).join(''));
  write('assets/scene.worker-d.js', 'postMessage(1)');
  const sizes = pageSizes(folder);
  rmSync(folder, { recursive: true });
  expect(sizes.shell).toBeGreaterThan(6);
  expect(sizes.shell).toBeLessThan(12);
  expect(sizes.plots).toBeGreaterThan(BUDGET_KB.plots);
  // Plots contain their own code, the shared library and their styles, but not files that the shell loads anyway.
  expect(sizes.shell + sizes.plots + sizes.scene).toBeGreaterThan(sizes.total - 0.3);
  expect(overBudget(sizes)).toEqual([
    expect.stringMatching(new RegExp(`^plots: \\d+\\.\\d kB gzip, the budget is ${BUDGET_KB.plots} kB$`)),
  ]);
});
