/** Claim: the built-in trainer learns ten seconds of motion. Of six pieces by whose results no setting was chosen, at
 *  least four reach 0.9 of their length within 30 minutes on two cores, and all six reach 0.7.
 *
 *    learn.bench.ts [--judge] [--piece clip@start,…] [--seeds 1,2,3] [--threads 2]
 *                   [--minutes 10,30 | --steps 0.9e6,…] [--profile robust] [--robot suggested] [--start model.pt]
 *                   [--keep folder] [--set agent.algorithm.desired_kl=0.02 …]
 *
 *  Twelve pieces of at most ten seconds are drawn by a fixed seed from the clips of the kit. Six are for tuning (the
 *  default), six are only judged (`--judge`). A judged run uses all six pieces. It is refused if the tree has
 *  uncommitted changes, or if there was a judged run today; runs with and without `--start` count separately. Its
 *  results are added to results/learn-judged.json after each training; commit them. If a judged run was interrupted,
 *  `--judge` with the same options continues it on any day, as long as the code and the machine are the same. `--start`
 *  begins every training with the networks of a checkpoint, to measure the base policy.
 *
 *  Each budget needs a separate training, because the training schedule depends on its length. With `--minutes`, the
 *  trainer chooses the number of iterations, ends when the policy has converged, and at the latest after this time.
 *  `--steps` is exact, for a busy machine. `--set` changes a setting of the task or adds an observation, `--profile`
 *  selects a profile of the trainer, `--piece` other pieces, for example walk1_subject1@0, `--keep` keeps the runs.
 *  `--robot suggested` gives the G1 the settings that an import suggests instead of those of the kit's policy. The goals
 *  of a piece are 0.5, 0.8 and 0.9 of its length. The result has the steps and seconds of the first evaluation that
 *  reached each goal. Each training is judged from 128 starts that it has not seen, with all contacts and without
 *  noise. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { hasKit, KIT } from '../test/support/kit.ts';
import {
  BUDGET,
  budgetCells,
  budgetNames,
  GOALS,
  JUDGEMENT,
  judgementCells,
  type Learned,
  type LearnSettings,
  learn,
  readProfile,
  readRobot,
  type Subject,
} from './harness/learning.ts';
import { drawPieces, overlap, type Piece, readPiece } from './harness/motion-pieces.ts';
import { machineFacts, printTable, writeResult } from './harness/report.ts';
import { benchFile } from './harness/server-process.ts';
import { temporaryFolder } from './harness/temporary-folder.ts';

const { values: options } = parseArgs({
  options: {
    judge: { type: 'boolean', default: false },
    piece: { type: 'string' },
    seeds: { type: 'string', default: '1' },
    threads: { type: 'string', default: '2' },
    minutes: { type: 'string', default: '10,30' },
    steps: { type: 'string' },
    profile: { type: 'string', default: 'builtin' },
    robot: { type: 'string', default: 'kit' },
    start: { type: 'string' },
    keep: { type: 'string' },
    set: { type: 'string', multiple: true, default: [] },
  },
});
const JUDGED = benchFile('results/learn-judged.json');
/** What a judged training depends on. */
const CODE = ['src', 'package-lock.json', 'bench/learn.bench.ts', 'bench/harness'];
const seeds = options.seeds.split(',').map(Number);

interface JudgedRun {
  readonly date: string;
  readonly commit: string;
  readonly machine: ReturnType<typeof machineFacts>;
  readonly threads: number;
  /** names of the budgets and seeds; absent in the first runs, which were not continued */
  readonly budgets?: readonly string[];
  readonly seeds?: readonly number[];
  /** whether the trainings began with the networks of `--start` */
  readonly started: boolean;
  /** SHA-256 of the file of `--start`; absent without one and in earlier runs */
  readonly start?: string;
  readonly pieces: Learned[];
}

const root = options.keep ? path.resolve(options.keep) : temporaryFolder('motion-studio-bench-learn-');

const settings: LearnSettings = {
  threads: Number(options.threads),
  root,
  keep: options.keep !== undefined,
  profile: readProfile(options.profile),
  robot: readRobot(options.robot),
  start: options.start ?? null,
  set: options.set,
};

/** Returns a piece as the only clip of a training. */
function subjectOf({ name, rows, duration }: Piece): Subject {
  return { name, duration, clips: [{ name: name.replace('@', '-'), rows }] };
}

function judgedRuns(): JudgedRun[] {
  return existsSync(JUDGED) ? (JSON.parse(readFileSync(JUDGED, 'utf8')) as JudgedRun[]) : [];
}

/** Starts a judged run, or continues the last one if it was interrupted.
 *  @throws Error if there was one today or the tree has uncommitted changes */
function beginJudging(earlier: readonly JudgedRun[]): JudgedRun {
  if (options.piece || options.set.length > 0 || options.profile !== 'builtin' || options.robot !== 'kit')
    throw new Error(
      '--judge: uses all pieces with the default settings. Leave out --piece, --profile, --robot and --set',
    );
  const changes = git('status', '--porcelain');
  if (changes !== '') throw new Error(`--judge: commit first:\n${changes}`);
  const run: JudgedRun = {
    date: new Date().toISOString(),
    commit: git('rev-parse', 'HEAD'),
    machine: machineFacts(),
    threads: Number(options.threads),
    budgets: budgetNames(options.minutes, options.steps),
    seeds,
    started: options.start !== undefined,
    ...(options.start ? { start: createHash('sha256').update(readFileSync(options.start)).digest('hex') } : {}),
    pieces: [],
  };
  const last = earlier.findLast(({ started }) => started === run.started);
  if (last && isUnfinished(last) && continues(last, run)) return last;
  if (last?.date.slice(0, 10) === run.date.slice(0, 10))
    throw new Error(`--judge: the judged pieces ran today, at ${last.date}. Tune on the other pieces.`);
  return run;
}

function isUnfinished({ pieces, budgets = [], seeds: given = [] }: JudgedRun): boolean {
  return pieces.length < drawPieces().judge.length * budgets.length * given.length;
}

/** Returns whether the trainings of a run would be those of an earlier run: same options, machine and code. */
function continues(last: JudgedRun, run: JudgedRun): boolean {
  const setup = ({ machine: { cpu, cores }, threads, budgets, seeds: given, start }: JudgedRun) =>
    JSON.stringify([cpu, cores, threads, budgets, given, start]);
  return setup(last) === setup(run) && git('diff', '--name-only', last.commit, 'HEAD', '--', ...CODE) === '';
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}

function saveJudged(runs: readonly JudgedRun[]): void {
  writeFileSync(JUDGED, `${JSON.stringify(runs, null, 1)}\n`);
}

async function main(): Promise<void> {
  if (!hasKit) throw new Error(`the pieces are cut from the clips of the kit, which is not at ${KIT}`);
  const earlier = judgedRuns();
  const run = options.judge ? beginJudging(earlier) : null;
  const save = () => run && saveJudged(earlier.includes(run) ? earlier : [...earlier, run]);
  // An interrupted judged run still counts as today's run.
  save();
  const { tune, judge } = drawPieces();
  const named = options.piece?.split(',').map(readPiece);
  const shown = named?.find((piece) => judge.some((other) => overlap(piece, other)));
  if (shown) throw new Error(`--piece: ${shown.name} overlaps a piece that is only judged`);
  const results: Learned[] = run?.pieces ?? [];
  for (const piece of named ?? (run ? judge : tune)) {
    const subject = subjectOf(piece);
    for (const budget of budgetNames(options.minutes, options.steps)) {
      for (const seed of seeds) {
        if (results.some((done) => done.piece === piece.name && done.budget === budget && done.seed === seed)) continue;
        const result = await learn(subject, seed, budget, settings);
        results.push(result);
        console.log(JSON.stringify(result));
        save();
      }
    }
  }
  report(results);
}

function report(results: readonly Learned[]): void {
  const share = ({ tracked_s, duration }: Learned) => tracked_s / duration;
  printTable(
    ['piece', 's', ...BUDGET, ...GOALS.map((goal) => `M steps to ${goal}`), ...JUDGEMENT],
    results.map((each) => [
      each.piece,
      each.duration,
      ...budgetCells(each),
      ...each.goals.map(({ env_steps }) => env_steps && env_steps / 1e6),
      ...judgementCells(each),
    ]),
  );
  const longest = results.filter(({ budget }) => budget === results.at(-1)!.budget);
  const worst = longest.map(share).sort((a, b) => a - b);
  const whole =
    !options.piece && !options.start && options.set.length === 0 && options.profile === 'builtin' && !options.steps;
  writeResult(
    options.judge ? 'learn-judge' : 'learn',
    [
      {
        name: '0.9 / share tracked by the fourth best of six',
        value: 0.9 / worst.at(-Math.round(worst.length * (4 / 6)))!,
        atMost: 1,
      },
      { name: '0.7 / share tracked by the worst', value: 0.7 / worst[0]!, atMost: 1 },
    ],
    { trainings: results },
    whole && !options.judge,
  );
}

await main();
