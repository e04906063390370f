import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Updates the build, because tests that start the service as a process run it from the build. */
export default function setup(): void {
  const script = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url));
  execFileSync(process.execPath, [script, '--stale'], { stdio: 'inherit' });
}
