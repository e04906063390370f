/** URL of a worker thread's entry beside `base`. Run from the build it is the `.js` file. Run from source, where tsx
 *  translates TypeScript in the main thread only, it is a module that gets tsx into the thread first. */
export function threadUrl(name: string, base: string): URL {
  if (!base.endsWith('.ts')) return new URL(`./${name}.worker.js`, base);
  const entry = JSON.stringify(new URL(`./${name}.worker.ts`, base).href);
  const tsx = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const code = `import { register } from ${tsx}; register(); export default (await import(${entry})).default;`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}
