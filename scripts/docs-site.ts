/** Writes the documentation site into `dist/docs`: `node --import tsx scripts/docs-site.ts`. A build does the same when
 *  a document has changed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { siteFiles } from './docs-site/site.ts';
import { replaceFolder } from './replace-folder.mjs';

const TARGET = fileURLToPath(new URL('../dist/docs', import.meta.url));

function writeSite(): void {
  const files = siteFiles();
  replaceFolder(TARGET, (fresh) => {
    for (const [name, content] of files) {
      const file = path.join(fresh, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeSite();
