/** Entry file and arguments of a worker thread, for `new Worker(url, {execArgv})` and Piscina. */
export interface ThreadEntry {
  readonly url: URL;
  readonly execArgv: string[];
}

/** Returns the entry `<name>.worker` in the folder of `base`: `.js` in a build, `.ts` when run from source. From
 *  source, each thread must register tsx itself, because `--import tsx` of the main thread has no effect in threads.
 *  @param base `import.meta.url` of the caller */
export function threadEntry(name: string, base: string): ThreadEntry {
  if (!base.endsWith('.ts')) return { url: new URL(`./${name}.worker.js`, base), execArgv: [] };
  const tsx = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const code = `import { register } from ${tsx}; register();`;
  return {
    url: new URL(`./${name}.worker.ts`, base),
    execArgv: ['--import', `data:text/javascript,${encodeURIComponent(code)}`],
  };
}
