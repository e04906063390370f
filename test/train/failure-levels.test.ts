import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeNpz } from '../../src/formats/npz.ts';
import { AdaptiveSampling } from '../../src/mdp/command/adaptive-sampling.ts';
import type { MotionLibrary } from '../../src/motion/library/motion-library.ts';
import { FAILURE_LEVELS_FILE, formatFailureLevels } from '../../src/runs/checkpoint/failure-levels-file.ts';
import { persistsLevels, resumedLevels } from '../../src/train/failure-levels.ts';
import type { TrainingOrder } from '../../src/train/training-order.ts';
import { PYTHONS, runPython } from '../support/python.ts';
import { trainingOrder } from '../support/training-order.ts';

const CLIPS = [
  { name: 'long', first: 0, frames: 450 },
  { name: 'short', first: 450, frames: 150 },
];
/** All that sampling needs of a library. */
const LIBRARY = { clips: CLIPS, fps: 50 } as unknown as MotionLibrary;
let order: TrainingOrder;

beforeAll(async () => {
  ({ order } = await trainingOrder());
  order = withRsi({ before_failures: false });
});

const rsiOf = ({ config }: TrainingOrder) => config.commands.motion.rsi;

function withRsi(changes: Partial<ReturnType<typeof rsiOf>>, resume: string | null = order.resume): TrainingOrder {
  const { motion } = order.config.commands;
  return {
    ...order,
    resume,
    config: { ...order.config, commands: { motion: { ...motion, rsi: { ...motion.rsi, ...changes } } } },
  };
}

function sampling(levels: readonly number[] = []): AdaptiveSampling {
  const made = new AdaptiveSampling(rsiOf(order), CLIPS, 50);
  made.levels.set(levels);
  made.refresh();
  return made;
}

/** Returns the checkpoint of a run whose failure levels are in this file; null: the run has none. */
function runWith(bytes: Uint8Array | null): string {
  const run = mkdtempSync(path.join(os.tmpdir(), 'motion-studio-levels-'));
  mkdirSync(path.join(run, 'params'));
  if (bytes) writeFileSync(path.join(run, FAILURE_LEVELS_FILE), bytes);
  return path.join(run, 'model_3.pt');
}

async function resumed(from: TrainingOrder, library = LIBRARY) {
  const lines: string[] = [];
  const levels = await resumedLevels(from, library, (text) => lines.push(text));
  return { levels, text: lines.join('\n') };
}

test('levels are saved only by tasks that sample adaptively and ask for it', () => {
  const rsi = rsiOf(order);
  expect(persistsLevels(rsi)).toBe(true);
  expect(persistsLevels({ ...rsi, persist_failure_levels: false })).toBe(false);
  expect(persistsLevels({ ...rsi, sampling_mode: 'uniform' })).toBe(false);
});

test.skipIf(PYTHONS.length === 0)('numpy reads the file in the layout of wbc_mjlab', () => {
  const bytes = formatFailureLevels(sampling([0.25, 0.5, 0.75]).table(), rsiOf(order));
  const run = path.dirname(runWith(bytes));
  for (const python of PYTHONS)
    expect(
      JSON.parse(
        runPython(
          python,
          'import json, sys, numpy; f = numpy.load(sys.argv[1]); print(json.dumps({k: [str(f[k].dtype), f[k].tolist()] for k in f.files}))',
          path.join(run, FAILURE_LEVELS_FILE),
        ),
      ),
    ).toEqual({
      failure_levels: [
        'float32',
        [
          [0.25, 0.5, 0],
          [0.75, 0, 0],
        ],
      ],
      failure: [
        'float32',
        [
          [0.25, 0.5, 0],
          [0.75, 0, 0],
        ],
      ],
      valid_mask: [
        'bool',
        [
          [true, true, false],
          [true, false, false],
        ],
      ],
      bin_width_s: ['float64', 4],
      alpha: ['float64', 0.005],
      uniform_ratio: ['float64', 0.15],
      num_trajectories: ['int64', 2],
      bins_per_trajectory: ['int64', 3],
    });
});

describe('a resumed training', () => {
  test('continues with the levels of its run', async () => {
    const saved = sampling([0.25, 0.5, 0.75]);
    const { levels, text } = await resumed(withRsi({}, runWith(formatFailureLevels(saved.table(), rsiOf(order)))));
    expect(text).toMatch(/^Loading failure levels from: .*rsi_bin_stats\.npz$/);
    const own = sampling();
    own.restore(levels!);
    expect([...own.levels]).toEqual([0.25, 0.5, 0.75]);
    expect(own.probability(2)).toBe(saved.probability(2));
  });

  test('has no levels if its task does not save them, or if nothing is resumed', async () => {
    const bytes = formatFailureLevels(sampling().table(), rsiOf(order));
    expect(await resumed(withRsi({ persist_failure_levels: false }, runWith(bytes)))).toEqual({
      levels: null,
      text: '',
    });
    expect(await resumed(withRsi({}, null))).toEqual({ levels: null, text: '' });
  });

  test('does not use levels of other sections', async () => {
    const resume = runWith(formatFailureLevels(sampling().table(), rsiOf(order)));
    const other = { clips: [CLIPS[0]!], fps: 50 } as unknown as MotionLibrary;
    for (const { levels, text } of [
      await resumed(withRsi({}, resume), other),
      await resumed(withRsi({ bin_width_s: 3.99 }, resume)),
    ]) {
      expect(levels).toBeNull();
      expect(text).toContain('the clips of the run have other sections');
    }
  });

  test('names what is wrong with a file and goes on', async () => {
    const table = { dtype: 'f4', data: new Float32Array(6), shape: [2, 3] } as const;
    const files: [Uint8Array | null, string][] = [
      [null, 'ENOENT'],
      [new Uint8Array(40), 'zip'],
      [writeNpz([['failure_levels', { ...table, shape: [6] }]]), '"failure_levels": a table of numbers'],
      [writeNpz([['failure_levels', table]]), '"valid_mask": a table of booleans'],
    ];
    for (const [bytes, reason] of files) {
      const { levels, text } = await resumed(withRsi({}, runWith(bytes)));
      expect(levels).toBeNull();
      expect(text).toMatch(/^Failure levels are not restored from /);
      expect(text).toContain(reason);
    }
  });
});
