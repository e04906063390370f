import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TrainingOrder } from '../../src/train/training-order.ts';

const MAIN = fileURLToPath(new URL('../../dist/cli/job-process.js', import.meta.url));
/** Interval between two readings of the memory, ms. */
const WATCH_MS = 500;
const LAST_LINES = 40;

/** Result of one evaluation of the trainer, without noise. */
interface Evaluated {
  /** tracked time, s */
  readonly s: number;
  /** share of whole episodes */
  readonly full: number;
  readonly tracking: number;
  /** mean errors: bodies m, joints rad */
  readonly bodies: number;
  readonly joints: number;
}

/** An evaluation during a training. */
interface CurvePoint extends Evaluated {
  readonly iteration: number;
  readonly envSteps: number;
  /** wall time since the process started */
  readonly seconds: number;
}

/** The measurements that a training printed. */
export interface Course {
  readonly seconds: number;
  readonly peakMb: number;
  readonly envSteps: number;
  /** medians of the iterations; steps include learning */
  readonly stepsPerSecond: number;
  readonly collectionS: number;
  readonly learningS: number;
  readonly curve: readonly CurvePoint[];
  readonly zeroAction: Evaluated;
  /** evaluation from starts that were not used to choose a checkpoint, with all contacts */
  readonly final: Evaluated;
}

/** Trains in a separate process, as the service does. @throws Error with the last lines if the trainer fails */
export async function runTrainer(order: TrainingOrder): Promise<Course> {
  mkdirSync(order.runFolder, { recursive: true });
  const file = path.join(order.runFolder, '..', `${path.basename(order.runFolder)}.json`);
  writeFileSync(file, JSON.stringify(order));
  const start = performance.now();
  const secondsNow = () => (performance.now() - start) / 1e3;
  const child = spawn(process.execPath, [MAIN, 'train', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  let peakKb = 0;
  const watch = setInterval(() => {
    peakKb = Math.max(peakKb, peakMemoryKb(child.pid));
  }, WATCH_MS);
  const output = new TrainerOutput();
  for await (const line of createInterface({ input: child.stdout })) output.read(line, secondsNow());
  const [code] = (await ended) as [number];
  clearInterval(watch);
  if (code !== 0) throw new Error(`the trainer ended with ${code}:\n${output.last.join('\n')}`);
  return output.course(secondsNow(), peakKb / 1024);
}

/** @returns 0 without /proc or after the process has ended */
function peakMemoryKb(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return 0;
  }
}

type Rate = 'Steps per second' | 'Collection time' | 'Learning time';

/** Reads the console of the trainer line by line. */
class TrainerOutput {
  readonly last: string[] = [];
  readonly #curve: CurvePoint[] = [];
  readonly #rates: Record<Rate, number[]> = {
    'Steps per second': [],
    'Collection time': [],
    'Learning time': [],
  };
  #iteration = 0;
  #envSteps = 0;
  #zeroAction: Evaluated | null = null;
  #final: Evaluated | null = null;

  read(line: string, seconds: number): void {
    this.last.push(line);
    if (this.last.length > LAST_LINES) this.last.shift();
    const iteration = / Learning iteration (\d+)\//.exec(line);
    if (iteration) this.#iteration = Number(iteration[1]) + 1;
    const value = /^\s*(Total steps|Steps per second|Collection time|Learning time): ([\d.]+)s?$/.exec(line);
    if (value?.[1] === 'Total steps') this.#envSteps = Number(value[2]);
    else if (value) this.#rates[value[1] as Rate].push(Number(value[2]));
    const found = evaluated(line);
    if (!found) return;
    if (line.startsWith('[INFO] Zero action')) this.#zeroAction = found;
    else if (line.startsWith('Evaluation from other starts')) this.#final = found;
    else if (/^\[INFO\] (Evaluation|Started|Resumed)/.test(line))
      this.#curve.push({ iteration: this.#iteration, envSteps: this.#envSteps, seconds, ...found });
  }

  course(seconds: number, peakMb: number): Course {
    if (!this.#zeroAction || !this.#final) throw new Error('the trainer did not print its evaluations');
    const median = (name: Rate) => {
      const sorted = this.#rates[name].sort((a, b) => a - b);
      return sorted[sorted.length >> 1] ?? Number.NaN;
    };
    return {
      seconds,
      peakMb,
      envSteps: this.#envSteps,
      stepsPerSecond: median('Steps per second'),
      collectionS: median('Collection time'),
      learningS: median('Learning time'),
      curve: this.#curve,
      zeroAction: this.#zeroAction,
      final: this.#final,
    };
  }
}

function evaluated(line: string): Evaluated | null {
  const found = /: ([\d.]+) s, ([\d.]+) % full, tracking ([\d.]+), bodies ([\d.]+) m, joints ([\d.]+) rad/.exec(line);
  if (!found) return null;
  const [s, percent, tracking, bodies, joints] = found.slice(1).map(Number) as [number, number, number, number, number];
  return { s, full: percent / 100, tracking, bodies, joints };
}
