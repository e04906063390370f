import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Builds the network kernels, which unit tests load although they run the sources. */
export default function setup(): void {
  const script = fileURLToPath(new URL('../../scripts/kernels.mjs', import.meta.url));
  execFileSync(process.execPath, [script], { stdio: 'inherit' });
}
