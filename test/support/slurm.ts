import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** The script that starts and ends a private cluster: `up FOLDER PORT`, `down FOLDER`. */
export const SLURM_CLUSTER = path.resolve(import.meta.dirname, 'slurm-cluster.sh');
const PACKAGES = ['slurmctld', 'slurmd', 'slurm-client', 'munge'];
/** Time limit of an installation, ms. */
const INSTALL_MS = 180_000;

/** Returns whether Slurm is installed. In CI or a container, installs it if the tests run as root. */
export function hasSlurm(): boolean {
  const available = isAvailable();
  if (!available)
    console.warn(
      `no Slurm on this machine (Debian: ${PACKAGES.join(' ')}, as root): the launcher is not tested with it`,
    );
  return available;
}

function isAvailable(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const found = () =>
    ['slurmctld', 'slurmd', 'munged', 'sbatch'].every((name) => spawnSync('which', [name]).status === 0);
  if (found()) return true;
  if (process.env['CI'] !== 'true' && !existsSync('/.dockerenv')) return false;
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: INSTALL_MS };
  const install = () => spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...PACKAGES], options).status;
  if (install() !== 0) {
    spawnSync('apt-get', ['update'], options);
    install();
  }
  return found();
}
