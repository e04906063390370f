import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Most kB (gzip) that a visitor loads: what the page needs to stand, the drawing thread's code, and all of it. */
const BUDGET_KB = { shell: 60, scene: 150, total: 240 } as const;

/** Ends the build when the page outgrows its budget. */
function budget(): Plugin {
  return {
    name: 'budget',
    apply: 'build',
    generateBundle(_, bundle) {
      const kB = { shell: 0, scene: 0, total: 0 };
      for (const [name, file] of Object.entries(bundle)) {
        const size = gzipSync(file.type === 'chunk' ? file.code : file.source, { level: 9 }).length / 1000;
        kB[name.includes('scene.worker') ? 'scene' : 'shell'] += size;
        kB.total += size;
      }
      for (const part of ['shell', 'scene', 'total'] as const) {
        if (kB[part] > BUDGET_KB[part]) {
          this.error(`${part}: ${kB[part].toFixed(1)} kB gzip, the budget is ${BUDGET_KB[part]} kB`);
        }
      }
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
  },
  worker: { format: 'es' },
  server: {
    proxy: {
      '/api': 'http://127.0.0.1:8765',
      '/healthz': 'http://127.0.0.1:8765',
      '/metrics': 'http://127.0.0.1:8765',
      '/ws': { target: 'ws://127.0.0.1:8765', ws: true },
    },
  },
});
