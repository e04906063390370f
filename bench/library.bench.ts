/** Claim: the built-in trainer learns long motions on two cores. From unseen starts, with all contacts and without
 *  noise, one policy tracks of 10 s
 *
 *  - a whole walk of 261 s for 9.5 s within 60 minutes
 *  - a whole dance of 131 s for 8 s within 60 minutes
 *  - all five clips of the kit, 9.5 minutes, for 6 s within 3 hours.
 *
 *    library.bench.ts [--only walk,dance,all] [--seed 1] [--threads 2] [--minutes 60 | --steps 5e6]
 *                     [--profile robust] [--start model.pt] [--keep folder] [--set agent.algorithm.desired_kl=0.02 …]
 *
 *  With `--minutes`, the trainer chooses the number of iterations, ends when the policy has converged, and at the
 *  latest after this time. With the default options, or fewer minutes, the result of each library replaces its earlier one
 *  in results/library.json as soon as it is measured. `--set` changes a setting of the task, `--profile` selects a profile
 *  of the trainer, `--keep` keeps the runs. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { KIT_CLIPS, kitClip } from '../test/support/clips.ts';
import { hasKit, KIT } from '../test/support/kit.ts';
import {
  BUDGET,
  budgetCells,
  budgetNames,
  JUDGEMENT,
  judgementCells,
  type Learned,
  type LearnSettings,
  learn,
  readProfile,
  type Subject,
} from './harness/learning.ts';
import { machineFacts, printTable, writeResult } from './harness/report.ts';
import { benchFile } from './harness/server-process.ts';
import { temporaryFolder } from './harness/temporary-folder.ts';

/** Longest episode, s. */
const EPISODE_S = 10;
const LIBRARIES = [
  { name: 'walk', clips: ['walk1_subject1'], goalS: 9.5, minutes: '60' },
  { name: 'dance', clips: ['dance1_subject2'], goalS: 8, minutes: '60' },
  { name: 'all', clips: KIT_CLIPS, goalS: 6, minutes: '180' },
] as const;
const RESULTS = benchFile('results/library.json');

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: LIBRARIES.map(({ name }) => name).join(',') },
    seed: { type: 'string', default: '1' },
    threads: { type: 'string', default: '2' },
    minutes: { type: 'string' },
    steps: { type: 'string' },
    profile: { type: 'string', default: 'builtin' },
    start: { type: 'string' },
    keep: { type: 'string' },
    set: { type: 'string', multiple: true, default: [] },
  },
});
const names = options.only.split(',');
const measured = LIBRARIES.filter(({ name }) => names.includes(name));
/** Whether the results are those of the claim, and are kept. */
const isKept =
  options.seed === '1' &&
  options.threads === '2' &&
  options.profile === 'builtin' &&
  options.set.length === 0 &&
  !(options.steps || options.start) &&
  measured.every(({ minutes }) => Number(options.minutes ?? minutes) <= Number(minutes));

/** The newest measurement of a library. */
interface Measured extends Learned {
  readonly date: string;
  readonly commit: string;
  readonly machine: ReturnType<typeof machineFacts>;
  readonly threads: number;
}

function readResults(): Measured[] {
  return existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as { trainings: Measured[] }).trainings : [];
}

/** Returns a goal as a ratio; NaN if it was not measured. */
function goalOf({ name, goalS, minutes }: (typeof LIBRARIES)[number], results: readonly Measured[]) {
  const result = results.find(({ piece }) => piece === name);
  const value = result ? goalS / result.tracked_s : Number.NaN;
  return { name: `${name}: ${goalS} s / tracked s within ${minutes} min`, value, atMost: 1 };
}

async function main(): Promise<void> {
  if (!hasKit) throw new Error(`the libraries are clips of the kit, which is not at ${KIT}`);
  const unknown = names.find((name) => !LIBRARIES.some((library) => library.name === name));
  if (unknown !== undefined) throw new Error(`--only: no library "${unknown}"`);
  const root = options.keep ? path.resolve(options.keep) : temporaryFolder('motion-studio-bench-library-');
  const settings: LearnSettings = {
    threads: Number(options.threads),
    root,
    keep: options.keep !== undefined,
    profile: readProfile(options.profile),
    robot: 'kit',
    start: options.start ?? null,
    set: options.set,
  };
  const seed = Number(options.seed);
  let results = isKept ? readResults() : [];
  for (const library of measured) {
    const subject: Subject = {
      name: library.name,
      duration: EPISODE_S,
      clips: library.clips.map((name) => ({ name, rows: kitClip(name) })),
    };
    for (const budget of budgetNames(options.minutes ?? library.minutes, options.steps)) {
      const result: Measured = {
        date: new Date().toISOString(),
        commit: execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim(),
        machine: machineFacts(),
        threads: settings.threads,
        ...(await learn(subject, seed, budget, settings)),
      };
      console.log(JSON.stringify(result));
      const others = results.filter(
        ({ piece, budget: other }) => piece !== library.name || (!isKept && other !== budget),
      );
      results = [...others, result];
      if (isKept) writeFileSync(RESULTS, `${JSON.stringify({ trainings: results }, null, 1)}\n`);
    }
  }
  printTable(
    ['library', ...BUDGET, ...JUDGEMENT],
    results.map((each) => [each.piece, ...budgetCells(each), ...judgementCells(each)]),
  );
  const goals = LIBRARIES.map((library) => goalOf(library, results));
  writeResult('library', goals, { trainings: results }, isKept);
}

await main();
