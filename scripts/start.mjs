/** `npm start`: installs and builds what is missing or stale, then runs the service in this very process, so that
 *  signals, exit code and arguments are its own. */
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { ensureDependencies, ROOT, requireNode } from './dependencies.mjs';

requireNode();
ensureDependencies();
build();
const main = path.join(ROOT, 'dist/cli/main.js');
process.argv[1] = main;
await import(pathToFileURL(main).href);
