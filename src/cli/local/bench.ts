import os from 'node:os';
import process from 'node:process';
import { Output } from '../commands/output.ts';
import { EXIT } from '../exit-codes.ts';
import type { LocalCommand } from './local-command.ts';
import { type Measured, measure } from './measure-machine.ts';

/** Number of clients that receive frames. */
export const CLIENTS = 32;
/** The same on all machines, so that results can be compared. */
const SIZES = { clips: 1000, envs: 128, iterations: 8, clients: CLIENTS, framesMs: 5000 };

const INTEL = 'Intel Xeon, 2 threads, 25 GB, Node 20.20.2';
const EPYC = 'AMD EPYC, 4 threads, 25 GB, Node 20.20.2';

/** Reference values from `bench/results`. `train.json` trains in the same way. `convert.json` converts clips of a
 *  robot with 29 joints. `fanout.json` has the rate of one client, which is multiplied by the number of clients. The
 *  frame rate of the stream is limited, so a faster machine does not send more. */
export const REFERENCE: Readonly<Record<keyof Measured, { readonly value: number; readonly machine: string }>> = {
  env_steps_one_thread: { value: 6560, machine: INTEL },
  env_steps: { value: 12_800, machine: INTEL },
  learned_steps: { value: 16_300, machine: INTEL },
  converted_frames: { value: 146_000, machine: INTEL },
  sent_frames: { value: 1914, machine: EPYC },
};

const LABELS: Readonly<Record<keyof Measured, string>> = {
  env_steps_one_thread: 'environment steps, one thread',
  env_steps: 'environment steps, all threads',
  learned_steps: 'environment steps learned, all threads',
  converted_frames: 'clip frames converted',
  sent_frames: `frames sent to ${CLIENTS} clients`,
};

/** `bench`: measures the speed of this machine with a temporary service. */
export const BENCH: LocalCommand = {
  example: 'motion-studio bench --json > this-machine.json',
  failed: 'failed',
  declare: (flags) =>
    flags.description(
      'Measure in about a minute the speed of this machine: simulating, learning, converting and sending. A temporary service with its own workspace does the work, so your data stay unchanged.',
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
    columns: ['PER SECOND', ' THIS MACHINE', ' REFERENCE', ' RATIO', 'REFERENCE MACHINE'],
    rows: (Object.keys(LABELS) as (keyof Measured)[]).map((key) => {
      const { value, machine: there } = REFERENCE[key];
      return [
        LABELS[key],
        measured[key].toLocaleString('en-US'),
        value.toLocaleString('en-US'),
        (measured[key] / value).toFixed(2),
        there,
      ];
    }),
  });
  // The measurement itself keeps the load below the number of threads.
  if (load_1min > threads)
    output.line(`Other programs were running (load ${load_1min}): the machine is faster when idle.`);
}
