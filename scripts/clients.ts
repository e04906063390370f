/** Writes the clients that are made from the route table: `node --import tsx scripts/clients.ts`. A build does the same
 *  when the routes have changed. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { EXAMPLES } from '../src/gateway/documents/examples/all-examples.ts';
import { openApiDocument } from '../src/gateway/documents/openapi.ts';
import { type RouteSpec, TAGS } from '../src/protocol/route.ts';
import { ROUTES } from '../src/protocol/route-table.ts';
import { operationsOf } from './clients/operations.ts';
import { pythonClient } from './clients/python.ts';
import { typeScriptApi } from './clients/typescript.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Returns the text of each generated file by its path in the repository. */
export function clientFiles(): Record<string, string> {
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const limits = { jsonBytes: 2 ** 20, uploadBytes: 4 * 2 ** 30 };
  // Sorted: the order of a module's exports depends on what loads it.
  const order = ([name, { tag }]: [string, RouteSpec]) => `${String(TAGS.indexOf(tag)).padStart(2, '0')} ${name}`;
  const routes = Object.fromEntries(Object.entries<RouteSpec>(ROUTES).sort((a, b) => (order(a) < order(b) ? -1 : 1)));
  const document = openApiDocument({ version, routes, examples: EXAMPLES, hasToken: true, limits });
  const operations = operationsOf(document);
  const runtime = readFileSync(path.join(ROOT, 'scripts/clients/runtime.py'), 'utf8');
  return {
    'src/protocol/client/studio-api.ts': typeScriptApi(document, operations),
    'clients/python/motion_studio.py': pythonClient({ document, operations, runtime }),
  };
}

function writeClients(): void {
  for (const [name, text] of Object.entries(clientFiles())) {
    const file = path.join(ROOT, name);
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    process.stderr.write(`wrote ${name}: commit it\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeClients();
