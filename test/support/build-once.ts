import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Tests that start the service as a process run it from the build, so the build must be up to date. */
export default function setup(): void {
  const script = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url));
  execFileSync(process.execPath, [script, '--stale'], { stdio: 'inherit' });
}
