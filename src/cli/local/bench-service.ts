import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { StudioError } from '../../core/errors.ts';
import { formatClipCsv } from '../../formats/csv.ts';
import { generateClip } from '../../motion/procedural/generate-clip.ts';
import { HUMANOID_ID } from '../../robots/humanoid/humanoid.ts';

const COMMAND = fileURLToPath(new URL('../../../bin/motion-studio.cjs', import.meta.url));
/** Frame rate that the service tries to reach, 1/s: more than any machine sends to all clients. */
const STREAM_FPS = 1000;

/** A temporary service with its own workspace, so that a measurement does not depend on a user's data or change
 *  them. */
interface BenchService {
  readonly address: string;
  /** number of rows of each clip of the dataset `bench` */
  readonly rows: number;
  close(): Promise<void>;
}

/** Starts a service on a new folder with the datasets `bench` (`clips` equal clips) and `one` (one clip).
 *  @param workspace if it has a cache folder, the new folder is created there, on the same disk; else in the
 *    system's temporary folder
 *  @throws unavailable with the last output of a service that does not start */
export async function startBenchService(workspace: string, clips: number): Promise<BenchService> {
  const cache = path.join(workspace, '.studio', 'cache');
  const folder = await mkdtemp(path.join(existsSync(cache) ? cache : tmpdir(), 'bench-'));
  const { frames, width } = generateClip('walk_forward');
  const text = formatClipCsv(frames, width);
  for (const [dataset, count] of [
    ['bench', clips],
    ['one', 1],
  ] as const) {
    const place = path.join(folder, 'data', HUMANOID_ID, dataset);
    await mkdir(place, { recursive: true });
    for (let k = 0; k < count; k += 1) await writeFile(path.join(place, `walk_${k}.csv`), text);
  }
  await writeFile(path.join(folder, 'studio.yaml'), `stream: {fps: ${STREAM_FPS}, max_mbps: 100000}\n`);
  const child = spawn(process.execPath, [COMMAND, '--workspace', folder, '--port', '0', '--log-level', 'error'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: withoutSettings(process.env),
  });
  const close = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'close');
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    return { address: await addressOf(child), rows: frames.length / width, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  let out = '';
  let said = '';
  return new Promise((resolve, reject) => {
    child.stdout!.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      const address = /listening on (\S+)\n/.exec(out)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.stderr!.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.once('close', () =>
      reject(new StudioError('unavailable', `the service for the measurement ended: ${said.trim()}`)),
    );
  });
}

/** Returns the environment without the service's variables, which could name a token or a port. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('MOTION_STUDIO_')));
}
