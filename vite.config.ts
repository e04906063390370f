import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { overBudget, pageSizes } from './scripts/page-size.mjs';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Says when the page outgrows its budget; `test/api/page-size.test.ts` is what fails for it. */
function budget(): Plugin {
  return {
    name: 'budget',
    apply: 'build',
    writeBundle(options) {
      for (const sentence of overBudget(pageSizes(options.dir ?? here('./dist/web')))) this.warn(sentence);
    },
  };
}

/** Removes indentation and empty lines from the shaders of three.js: 0.9 kB of the scene after gzip. */
function shorterShaders(): Plugin {
  return {
    name: 'shorter-shaders',
    apply: 'build',
    transform: {
      filter: { id: /node_modules\/three\/build\// },
      handler: (code) => ({ code: code.replace(/(?:\\n(?:\\t| )*)+/g, '\\n'), map: null }),
    },
  };
}

/** The page: built to `dist/web` with hashed names, served by the gateway. `npx vite` serves it against a running service. */
export default defineConfig({
  root: here('./web'),
  base: './',
  plugins: [budget()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: here('./dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    // The timings of plugins would puzzle a person who starts the service for the first time.
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // The parts that every page loads share one chunk: many small chunks compress worse.
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /node_modules\/(@preact|preact)\/|web\/src\/(net|ui\/(?!cho|fuzzy|use-width|fields|number|page-window|log-box|speed|dialogs\/|edge|term|glossary|picker))/,
            },
          ],
        },
      },
    },
  },
  worker: { format: 'es', plugins: () => [shorterShaders()] },
  server: {
    proxy: {
      '/api': 'http://127.0.0.1:8765',
      '/healthz': 'http://127.0.0.1:8765',
      '/metrics': 'http://127.0.0.1:8765',
      '/ws': { target: 'ws://127.0.0.1:8765', ws: true },
    },
  },
});
