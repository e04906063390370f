/** A worker thread's entry, as `new Worker(url, {execArgv})` and Piscina take it. */
export interface ThreadEntry {
  readonly url: URL;
  readonly execArgv: string[];
}

/** The entry `<name>.worker` beside `base`: `.js` when run from the build, `.ts` when run from source, where a thread must
 *  get tsx by itself (the main thread's `--import tsx` has no effect in threads). */
export function threadEntry(name: string, base: string): ThreadEntry {
  if (!base.endsWith('.ts')) return { url: new URL(`./${name}.worker.js`, base), execArgv: [] };
  const tsx = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const code = `import { register } from ${tsx}; register();`;
  return {
    url: new URL(`./${name}.worker.ts`, base),
    execArgv: ['--import', `data:text/javascript,${encodeURIComponent(code)}`],
  };
}
