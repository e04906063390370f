/** Writes the documentation site into `dist/docs`: `node --import tsx scripts/docs-site.ts`. A build does the same when a
 *  document has changed. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { siteFiles } from './docs-site/site.ts';

const TARGET = fileURLToPath(new URL('../dist/docs', import.meta.url));

function writeSite(): void {
  rmSync(TARGET, { recursive: true, force: true });
  for (const [name, content] of siteFiles()) {
    const file = path.join(TARGET, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeSite();
