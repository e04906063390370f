/** Installs and builds what is missing or stale, then runs the service in this process: it gets the signals and
 *  arguments, and its exit code is the script's. */
import { build } from './build.mjs';
import { ensureDependencies } from './dependencies.mjs';

ensureDependencies();
build();
await import('../bin/motion-studio.cjs');
