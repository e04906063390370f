import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readTrainingCheckpoint } from '../../src/runs/checkpoint/read-training-checkpoint.ts';
import { formatCheckpoint } from '../../src/runs/checkpoint/write-checkpoint.ts';
import { readRunIdentity } from '../../src/runs/params/read-identity.ts';
import { readCheckpointShape } from '../../src/train/dry-run/checkpoint-shape.ts';
import { trainingOrder } from '../support/training-order.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Runs the trainer in a separate process. @returns its output */
async function train(file: string): Promise<string> {
  const child = spawn(process.execPath, ['dist/cli/job-process.js', 'train', file], { cwd: ROOT });
  let output = '';
  const take = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code, output).toBe(0);
  return output;
}

/** What the log says about the start of a training, in its order. */
function notesOf(log: string): string[] {
  const notes = {
    Started: '[INFO] Started from another run, without noise: ',
    kept: '[INFO] The networks of the other run are kept. Copied networks: ',
    replaced: '[INFO] New networks replace those of the other run. Copied networks: ',
    symmetric: '[INFO] The networks are symmetric: a mirrored state gives the mirrored action',
    'not symmetric': '[INFO] The networks are not symmetric: the networks of the checkpoint are not symmetric',
  };
  return log
    .split('\n')
    .flatMap((line) => Object.entries(notes).flatMap(([name, note]) => (line.startsWith(note) ? [name] : [])));
}

test('a start copies the networks and is recorded; new networks replace those that learn less', async () => {
  const base = await trainingOrder({ iterations: 40 });
  await train(base.file);
  const good = path.join(base.order.runFolder, 'model_39.pt');

  const { config } = base.order;
  const functions = ({ terms }: { readonly terms: Readonly<Record<string, { readonly func: string }>> }) =>
    Object.values(terms).map(({ func }) => func);
  expect(await readCheckpointShape(good)).toMatchObject({
    activation: { actor: 'elu', critic: 'elu' },
    observations: {
      actor: functions(config.observations['actor']!),
      critic: functions(config.observations['critic']!),
    },
  });

  const kept = await trainingOrder({ iterations: 2, threads: 2, start: { checkpoint: good, run: 'a/base' } });
  expect(notesOf(await train(kept.file))).toEqual(['Started', 'symmetric']);
  expect((await readRunIdentity(kept.order.runFolder)).training).toMatchObject({ startedFrom: 'a/base' });
  const { envSteps } = await readTrainingCheckpoint(path.join(kept.order.runFolder, 'model_1.pt'));
  expect(envSteps).toBe(2 * 24 * 8);

  const compared = await trainingOrder({ iterations: 10, start: { checkpoint: good, run: 'a/base' } });
  expect(notesOf(await train(compared.file))).toEqual(['Started', 'symmetric', 'kept']);
  expect((await readRunIdentity(compared.order.runFolder)).training).toMatchObject({ startedFrom: 'a/base' });

  // An actor with large constant actions falls at once, and one iteration cannot repair it.
  const read = await readTrainingCheckpoint(good);
  const layers = read.actor.layers.map((layer, k, all) =>
    k === all.length - 1 ? { ...layer, bias: layer.bias.map((_, joint) => (joint % 2 === 0 ? 5 : -5)) } : layer,
  );
  const bad = path.join(base.folder, 'bad.pt');
  writeFileSync(bad, formatCheckpoint({ ...read, actor: { ...read.actor, layers } }));
  const dropped = await trainingOrder({ iterations: 10, start: { checkpoint: bad, run: 'a/bad' } });
  expect(notesOf(await train(dropped.file))).toEqual(['Started', 'not symmetric', 'symmetric', 'replaced']);
  const { startedFrom, score } = (await readRunIdentity(dropped.order.runFolder)).training;
  expect(startedFrom).toBeNull();
  expect(score!.tracked_s).toBeGreaterThan(0.3);
}, 170_000);
