/** Claim: whole-body control tracks a walk at least three times as long as zero action, without any learning.
 *
 *    guide.bench.ts [--piece clip@start,…] [--starts 16]
 *
 *  A training imitates this controller in its first iterations. Its gains were chosen on the pieces of TUNED; the goal is
 *  for the walks of UNSEEN, which were not used. `--piece` measures other pieces of the kit's clips, for example
 *  walk1_subject1@0. The pieces of the judged split of the bench `learn` are not in either list. Each episode is at most
 *  ten seconds long, without noise, with the contacts of the training; it ends when a termination of the task holds. */
import { parseArgs } from 'node:util';
import type { Environments } from '../src/mdp/environments.ts';
import { hasKit } from '../test/support/kit.ts';
import { preparedG1 } from '../test/support/robots.ts';
import { libraryOf, optionsOf } from '../test/support/tracking.ts';
import { type Piece, readPiece } from './harness/motion-pieces.ts';
import { fromDist } from './harness/product.ts';
import { machineFacts, printTable, writeResult } from './harness/report.ts';

const { createEnvironments } = await fromDist<typeof import('../src/mdp/env/create-environments.ts')>(
  'mdp/env/create-environments.js',
);
const { baseTasks } = await fromDist<typeof import('../src/mdp/tasks/base-tasks.ts')>('mdp/tasks/base-tasks.js');
const { evaluationConfig, trainedTask } =
  await fromDist<typeof import('../src/train/builtin-profile.ts')>('train/builtin-profile.js');
const { WholeBodyControl } = await fromDist<typeof import('../src/train/guide/whole-body-control.ts')>(
  'train/guide/whole-body-control.js',
);

const TUNED = [
  ...[20, 30, 40, 50, 60, 90, 100].map((start) => `dance1_subject2@${start}`),
  ...[30, 60, 100, 210, 240].map((start) => `walk1_subject1@${start}`),
];
const UNSEEN = [
  ...[70, 110].map((start) => `dance1_subject2@${start}`),
  ...[40, 130, 180].map((start) => `walk1_subject1@${start}`),
  'flip_360_009__A416@0',
];
/** Shortest time of whole-body control as a multiple of that of zero action. */
const GAIN = 3;
const SEED = 1_000_004;

interface Measured {
  readonly piece: string;
  readonly tuned: boolean;
  readonly zero_action_s: number;
  readonly control_s: number;
  readonly whole: number;
}

const { values } = parseArgs({ options: { piece: { type: 'string' }, starts: { type: 'string', default: '16' } } });
const starts = Number(values.starts);

/** Tracked time, s, and share of whole episodes. @param act writes the action of an environment; null: zero actions */
function track(envs: Environments, steps: number, act: ((env: number, out: Float32Array) => void) | null) {
  const actions = new Float32Array(envs.n * envs.actionDim);
  let tracked = 0;
  let left = envs.n;
  envs.idle.fill(0);
  envs.reseed(SEED);
  envs.reset();
  for (let step = 0; step < steps && left > 0; step++) {
    for (let env = 0; env < envs.n; env++)
      if (act && envs.idle[env] === 0) act(env, actions.subarray(env * envs.actionDim, (env + 1) * envs.actionDim));
    const running = envs.idle.map((idle) => 1 - idle);
    envs.step(actions);
    for (let env = 0; env < envs.n; env++) {
      if (running[env] === 0) continue;
      tracked += envs.stepS;
      envs.idle[env] = envs.terminated[env]!;
      left -= envs.terminated[env]!;
    }
  }
  return { s: tracked / envs.n, whole: left / envs.n };
}

async function measure(piece: Piece): Promise<Measured> {
  const robot = await preparedG1();
  const task = baseTasks(robot.facts).find(({ name }) => name.endsWith('G1-SE'))!;
  const trained = trainedTask(task.config, 'builtin');
  const config = { ...evaluationConfig(trained), sim: trained.sim, episode_length_s: piece.duration };
  const library = await libraryOf(robot, { [piece.name.replace('@', '-')]: piece.rows });
  const options = await optionsOf(robot, { config, library, n: starts });
  const envs = createEnvironments(options);
  const control = new WholeBodyControl(options);
  const steps = Math.round(piece.duration / envs.stepS);
  const zero = track(envs, steps, null);
  const controlled = track(envs, steps, (env, out) => control.act(envs, env, out));
  control.delete();
  envs.delete();
  const tuned = TUNED.includes(piece.name);
  return { piece: piece.name, tuned, zero_action_s: zero.s, control_s: controlled.s, whole: controlled.whole };
}

if (!hasKit) throw new Error('this bench needs the kit: set MOTION_STUDIO_KIT to its folder');
const measured: Measured[] = [];
for (const name of values.piece?.split(',') ?? [...TUNED, ...UNSEEN]) measured.push(await measure(readPiece(name)));
printTable(
  ['piece', 'gains chosen on it', 'zero action s', 'whole-body control s', 'whole'],
  measured.map(({ piece, tuned, zero_action_s, control_s, whole }) => [
    piece,
    tuned ? 'yes' : 'no',
    zero_action_s.toFixed(2),
    control_s.toFixed(2),
    `${(100 * whole).toFixed(0)} %`,
  ]),
);
if (!values.piece) {
  const walks = measured.filter(({ piece, tuned }) => !tuned && piece.startsWith('walk'));
  const least = Math.min(...walks.map(({ zero_action_s, control_s }) => control_s / zero_action_s));
  const name = 'zero action / whole-body control, worst walk whose piece the gains were not chosen on';
  writeResult('guide', [{ name, value: 1 / least, atMost: 1 / GAIN }], { machine: machineFacts(), starts, measured });
}
