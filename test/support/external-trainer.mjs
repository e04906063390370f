// A small external trainer: it prints the lines of rsl_rl and writes its event files.
//   --task T --dataset D --num-envs N --max-iterations N --run-name R [--resume RUN CHECKPOINT]
//   --hold=FILE: waits before its last iteration until the file exists   --exit=N: exit status
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventWriter } from '../../dist/runs/checkpoint/event-writer.js';

const words = process.argv.slice(2);
const after = (flag) => words[words.indexOf(flag) + 1];
const assigned = (flag) => words.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
process.stdout.write(`arguments: ${JSON.stringify(words)}\n`);

const now = new Date().toISOString().slice(0, 19).replace('T', '_').replaceAll(':', '-');
// As upstream prints it: relative to the working directory.
const folder = path.join('logs', 'rsl_rl', 'outside', `${now}_${process.pid}`);
mkdirSync(path.join(folder, 'params'), { recursive: true });
writeFileSync(path.join(folder, 'params/agent.yaml'), `experiment_name: ${after('--task')}\n`);
writeFileSync(path.join(folder, 'params/config.yaml'), `robot_id: ${after('--robot')}\n`);
writeFileSync(path.join(folder, 'params/env.yaml'), 'decimation: 4\n');
process.stdout.write(`[INFO] Logging experiment in directory: ${folder}\n`);

const total = Number(after('--max-iterations'));
const hold = assigned('--hold');
const events = new EventWriter(folder);
for (let iteration = 0; iteration < total; iteration += 1) {
  while (hold !== undefined && iteration === total - 1 && !existsSync(hold)) await sleep(20);
  const reward = Math.sin(iteration / 10);
  events.write(iteration, [
    { tag: 'Train/mean_reward', value: reward },
    { tag: 'Loss/value', value: iteration === 3 ? Number.NaN : 1 / (1 + iteration) },
    { tag: 'Episode_Reward/survival', value: 1 },
    { tag: 'Metrics/motion/error_body_pos', value: 0.1 },
    { tag: 'Metrics/motion/sampling_entropy', value: 0.9 },
    { tag: 'Curriculum/height', value: 2 },
  ]);
  process.stdout.write(`${'#'.repeat(80)}\n\u001b[1m Learning iteration ${iteration}/${total} \u001b[0m\n\n`);
  process.stdout.write(`${'Mean reward:'.padStart(40)} ${reward.toFixed(2)}\n`);
}
events.close();
process.exitCode = Number(assigned('--exit') ?? 0);
