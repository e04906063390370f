import { writeFileSync } from 'node:fs';
import { register } from 'node:module';
import process from 'node:process';

/** Writes the TypeScript types of an OpenAPI document: `node generate.mjs <address of the document> <file>`.
 *  openapi-typescript prints with the compiler API that TypeScript 7 no longer has: it gets the TypeScript 6
 *  that ts-morph ships. A package alias of TypeScript would replace the project's own `tsc`. */
const hooks = `export const resolve = (specifier, context, next) =>
  next(specifier === 'typescript' ? '${import.meta.resolve('./typescript-api.mjs')}' : specifier, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

const [, , document = '', file = ''] = process.argv;
const { default: generate, astToString } = await import('openapi-typescript');
writeFileSync(file, astToString(await generate(new URL(document))));
