/** Runs before `npm publish`. Fails while package.json names addresses of the reserved domain `.example`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fail, ROOT } from './dependencies.mjs';

const { homepage, repository, bugs } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
const open = Object.entries({ homepage, 'repository.url': repository?.url, 'bugs.url': bugs?.url })
  .filter(([, url]) => url === undefined || /\.example(\/|$)/.test(url))
  .map(([name]) => name);
if (open.length > 0)
  fail(`not ready to publish: set ${open.join(', ')} in package.json to the project's own addresses`);
process.stdout.write('package.json names the addresses of the project\n');
