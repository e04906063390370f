import { existsSync } from 'node:fs';

const DIST = new URL('../../dist/', import.meta.url);

/** Imports a module of the built product with the type of its source:
 *  `fromDist<typeof import('../src/core/x.ts')>('core/x.js')`. */
export async function fromDist<Module>(file: string): Promise<Module> {
  const url = new URL(file, DIST);
  if (!existsSync(url)) throw new Error(`dist/${file} is missing: run npm run build first`);
  return (await import(url.href)) as Module;
}
