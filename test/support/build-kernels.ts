import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Unit tests run the sources, which load the compiled network kernels. */
export default function setup(): void {
  const script = fileURLToPath(new URL('../../scripts/kernels.mjs', import.meta.url));
  execFileSync(process.execPath, [script], { stdio: 'inherit' });
}
