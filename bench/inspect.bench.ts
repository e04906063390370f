/** Claim: importing a robot costs little more than compiling its model, and a selected robot soon appears on the
 *  screen.
 *
 *  - by thread CPU time, inspecting a robot costs at most 1.5 × the bare compilation of its files by MuJoCo; checking
 *    it, including simulations, at most 3 ×;
 *  - a check takes less than 10 s of CPU;
 *  - from selecting a robot to its first frame: at most 3 × the time of the bare compilation for the first selection,
 *    under 1 s for later selections.
 *
 *    inspect.bench.ts [--reps 5]
 *
 *  With the kit (MOTION_STUDIO_KIT) the robot is the kit's G1 with 35 meshes, otherwise the built-in humanoid. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import WebSocket from 'ws';
import { g1Spec, hasKit, KIT } from '../test/support/kit.ts';
import { fromDist } from './harness/product.ts';
import { printTable, writeResult } from './harness/report.ts';
import { benchFile } from './harness/server-process.ts';
import { median, medianOf } from './harness/statistics.ts';
import { temporaryFolder } from './harness/temporary-folder.ts';

const { values: options } = parseArgs({ options: { reps: { type: 'string', default: '5' } } });
const REPS = Number(options.reps);

const { formatYaml } = await fromDist<typeof import('../src/core/yaml-file.ts')>('core/yaml-file.js');
const { humanoidMjcf, humanoidSpec } =
  await fromDist<typeof import('../src/robots/humanoid/humanoid.ts')>('robots/humanoid/humanoid.js');

const base = temporaryFolder('bench-inspect-');
const id = hasKit ? 'g1' : 'second';
const spec = hasKit ? g1Spec('g1.xml') : { ...humanoidSpec(), id, name: id };
const source = path.join(base, 'source');
const specFile = path.join(base, 'spec.json');
if (hasKit) cpSync(`${KIT}/robots/g1`, source, { recursive: true });
else {
  mkdirSync(source);
  writeFileSync(path.join(source, spec.model), humanoidMjcf());
}
writeFileSync(specFile, JSON.stringify(spec));

interface Figures {
  readonly cpuS: number;
  readonly wallS: number;
  readonly ok: boolean;
}

function look(way: 'bare' | 'inspect' | 'check'): Figures {
  const program = ['--import', 'tsx', benchFile('servers/robot-import.ts'), way, source, spec.model, specFile];
  const { stdout, status } = spawnSync(process.execPath, program, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${way} ended with ${status}`);
  const figures = JSON.parse(stdout) as Figures;
  if (!figures.ok) throw new Error(`${way}: the robot did not pass`);
  return figures;
}

const ways = ['bare', 'inspect', 'check'] as const;
// The ways alternate, so that a busy moment of the machine does not affect only one of them.
const runs = Array.from({ length: REPS }, () => Object.fromEntries(ways.map((way) => [way, look(way)])));
const cpuS = (way: string) => medianOf(runs, (run) => run[way]!.cpuS);
const wallS = (way: string) => medianOf(runs, (run) => run[way]!.wallS);
const ratio = (way: string) => medianOf(runs, (run) => run[way]!.cpuS / run['bare']!.cpuS);

/** Measures the time from selecting a robot to the first frame that shows it, s: for the first and for a later
 *  selection. */
async function selectToFrame(): Promise<{ readonly first: number; readonly again: number }> {
  const workspace = mkdtempSync(path.join(base, 'workspace-'));
  const folder = path.join(workspace, 'robots', id);
  cpSync(source, folder, { recursive: true });
  writeFileSync(path.join(folder, 'robot.yaml'), formatYaml(spec));
  const main = benchFile('../dist/cli/main.js');
  const child = spawn(process.execPath, [main, '--port', '0', '--log-level', 'error', '--workspace', workspace], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const address = /http\S+/.exec((await lines.next()).value as string)![0];
  const socket = new WebSocket(`${address.replace('http', 'ws')}/ws`);
  let onVersion = (_version: number) => {};
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (!isBinary) return;
    const header = JSON.parse(data.subarray(4, 4 + data.readUInt32LE(0)).toString()) as Record<string, number>;
    socket.send(JSON.stringify({ type: 'ack', seq: header['seq'] }));
    onVersion(header['model_version']!);
  });
  await once(socket, 'open');
  let version = await new Promise<number>((resolve) => {
    onVersion = resolve;
  });
  const select = async (name: string): Promise<number> => {
    const shown = new Promise<number>((resolve) => {
      onVersion = (now) => now !== version && resolve(now);
    });
    const started = performance.now();
    const answer = await fetch(`${address}/api/robot/select`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    version = await shown;
    return (performance.now() - started) / 1e3;
  };
  const first = await select(id);
  await select('humanoid');
  const again = await select(id);
  socket.terminate();
  child.kill('SIGTERM');
  await once(child, 'exit');
  return { first, again };
}

const selections: { readonly first: number; readonly again: number }[] = [];
for (let rep = 0; rep < REPS; rep += 1) selections.push(await selectToFrame());

const first = median(selections.map((one) => one.first));
const again = median(selections.map((one) => one.again));
printTable(
  [spec.name, 'CPU s', 'wall s', '× bare compilation'],
  ways.map((way) => [way, cpuS(way), wallS(way), ratio(way)]),
);
printTable(
  ['from choosing to the first frame', 's'],
  [
    ['for the first time', first],
    ['again', again],
  ],
);
writeResult(
  'inspect',
  [
    { name: 'CPU of inspecting / bare compilation', value: ratio('inspect'), atMost: 1.5 },
    { name: 'CPU of checking / bare compilation', value: ratio('check'), atMost: 3 },
    { name: 'CPU s of a check', value: cpuS('check'), atMost: 10 },
    { name: 'choosing a new robot to its first frame / bare compilation', value: first / wallS('bare'), atMost: 3 },
    { name: 'choosing a known robot to its first frame, s', value: again, atMost: 1 },
  ],
  { robot: spec.name, runs, selections },
);
