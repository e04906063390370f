import os from 'node:os';
import process from 'node:process';
import { Output } from '../commands/output.ts';
import { EXIT } from '../exit-codes.ts';
import type { LocalCommand } from './local-command.ts';
import { type Measured, measure } from './measure-machine.ts';

/** Equal on all machines, so that results can be compared. */
const SIZES = { clips: 1000, envs: 128, iterations: 8, clients: 32, framesMs: 5000 };

/** A machine to compare with: figures of `bench/results/train.json`, which trains in the same way. null: not measured
 *  there. */
const REFERENCE: {
  readonly machine: string;
  readonly measured: Readonly<Record<keyof Measured, number | null>>;
} = {
  machine: 'Intel Xeon, 2 threads, 25 GB, Node 20.20.2',
  measured: {
    env_steps_one_thread: 6560,
    env_steps: 12_800,
    learned_steps: 16_300,
    converted_frames: null,
    sent_frames: null,
  },
};

const LABELS: Readonly<Record<keyof Measured, string>> = {
  env_steps_one_thread: 'environment steps, one thread',
  env_steps: 'environment steps, all threads',
  learned_steps: 'steps learned from, all threads',
  converted_frames: 'clip frames converted',
  sent_frames: `frames sent to ${SIZES.clients} clients`,
};

/** `bench`: measures with a service of its own what this machine does. */
export const BENCH: LocalCommand = {
  declare: (flags) =>
    flags.description(
      'Measure in about a minute what this machine does: simulating, learning, converting and sending. A service with a temporary workspace does the work, so nothing of yours is changed.',
    ),
  run: async ({ workspace }, { json }) => {
    const output = new Output(process, json);
    const measured = await measure(workspace, SIZES, output);
    const machine = machineNow();
    output.result({ machine, measured, reference: REFERENCE }, () => print(output, machine, measured));
    return EXIT.done;
  },
};

function machineNow() {
  return {
    cpu: os.cpus()[0]?.model.trim() ?? 'unknown',
    threads: os.availableParallelism(),
    memory_gb: Math.round(os.totalmem() / 1e9),
    node: process.versions.node,
    load_1min: Math.round(100 * os.loadavg()[0]!) / 100,
  };
}

function print(output: Output, machine: ReturnType<typeof machineNow>, measured: Measured): void {
  const { cpu, threads, memory_gb, node, load_1min } = machine;
  output.line(`${cpu}, ${threads} threads, ${memory_gb} GB, Node ${node}`);
  output.table({
    columns: ['PER SECOND', ' THIS MACHINE', ' REFERENCE', ' RATIO'],
    rows: (Object.keys(LABELS) as (keyof Measured)[]).map((key) => {
      const there = REFERENCE.measured[key];
      const compared = there === null ? ['–', ''] : [there.toLocaleString('en-US'), (measured[key] / there).toFixed(2)];
      return [LABELS[key], measured[key].toLocaleString('en-US'), ...compared];
    }),
  });
  output.line(`Reference: ${REFERENCE.machine}`);
  // Load of the measurement itself stays below the number of threads.
  if (load_1min > threads) output.line(`Other programs were running (load ${load_1min}): expect more.`);
}
