/** Installs and builds what is missing or stale, then runs the service in this very process, so that signals, exit code
 *  and arguments are its own. */
import { build } from './build.mjs';
import { ensureDependencies } from './dependencies.mjs';

ensureDependencies();
build();
await import('../bin/motion-studio.cjs');
