import { expect, test } from 'vitest';
import { DryRuns } from '../../../../web/src/features/tasks/dry-runs.ts';
import { Loadable } from '../../../../web/src/ui/loadable.ts';
import { answering } from '../../answers.ts';
import { deferred } from '../../deferred.ts';

async function dryRuns(converted: Readonly<Record<string, number>>, launch: () => unknown) {
  const { call } = answering({ 'POST /api/train/launch': launch });
  const sets = Object.entries(converted).map(([name, n]) => ({ name, converted: n, extra: 0 }));
  const datasets = new Loadable(async () => ({ robot: 'g1', datasets: sets }) as never);
  await datasets.refresh();
  return new DryRuns({ call, datasets });
}

test('without converted clips a dry run names the remedy, and does not call the service', async () => {
  const runs = await dryRuns({ samples: 0 }, () => {
    throw new Error('not to be called');
  });
  await runs.tryTask('Wbc-G1');
  expect(runs.dryRun.value?.error).toBe('A dry run needs converted clips. Convert clips in Data.');
});

test('a dry run uses the dataset of the training form if it has converted clips', async () => {
  const runs = await dryRuns({ a: 2, b: 3 }, () => ({ dry_run: true, checks: [] }));
  await runs.tryTask('Wbc-G1');
  expect(runs.dryRun.value?.dataset).toBe('a');
  runs.preferredDataset.value = 'b';
  await runs.tryTask('Wbc-G1');
  expect(runs.dryRun.value).toMatchObject({ dataset: 'b', loading: false, error: null });
});

test('the reply to an older dry run is dropped', async () => {
  const old = deferred<unknown>();
  const replies: unknown[] = [old.promise, { dry_run: true, checks: [] }];
  const runs = await dryRuns({ a: 1 }, () => replies.shift());
  const first = runs.tryTask('one');
  await runs.tryTask('two');
  old.reject(new Error('too late'));
  await first;
  expect(runs.dryRun.value).toMatchObject({ task: 'two', error: null });
});
