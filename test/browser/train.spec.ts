import { findings } from './accessibility.ts';
import { expect, open, post, type Studio, test } from './studio.ts';

/** Timeout of a training on a machine with two cores. */
const SLOW = 120_000;

async function openTrain(page: Parameters<typeof open>[0], { address }: Pick<Studio, 'address'>): Promise<void> {
  await post(address, '/api/robot/select', { name: 'humanoid' });
  await open(page, `${address}/#/train`);
}

/** Waits for the end of a job. @returns its last state */
async function ended(studio: Studio, job: string): Promise<{ status: string; run: string | null }> {
  const read = async () =>
    (await (await fetch(`${studio.address}/api/jobs/${job}?tail=0`)).json()) as { status: string; run: string | null };
  await expect.poll(async () => (await read()).status, { timeout: SLOW }).not.toMatch(/queued|running|stopping/);
  return read();
}

test('problems of a training are shown before the launch, and the form links to what is missing', async ({
  page,
  ownStudio,
}) => {
  await openTrain(page, { address: await ownStudio.start() });
  // given: the built-in clips, not converted
  const panel = page.getByRole('region', { name: 'New training' });
  await expect(panel.getByText('none of the 6 clips of "samples" is converted')).toBeVisible({ timeout: SLOW });
  await expect(page.getByRole('button', { name: 'Start training' })).toBeDisabled();
  await expect(page.getByRole('heading', { name: 'No job yet' })).toBeVisible();
  // when: an invalid number is entered
  await page.getByLabel('Environments', { exact: true }).fill('many');
  await expect(panel.getByText('must be an integer from 1 to 65536')).toBeVisible();
  await page.getByLabel('Environments', { exact: true }).fill('');
  await panel.getByRole('button', { name: 'Convert 6 clips' }).click();
  await expect(panel.getByText('A training needs converted clips.')).toBeHidden({ timeout: SLOW });
});

test('a training launched from the page shows its curves and log, and its checkpoint is played', async ({
  page,
  studio,
  problems,
}) => {
  test.setTimeout(6 * SLOW);
  await post(studio.address, '/api/robot/select', { name: 'humanoid' });
  await post(studio.address, '/api/data/convert', { dataset: 'samples', which: 'selected', clips: ['squat'] });
  await ended(studio, 'convert-samples-1');
  await openTrain(page, studio);

  // given: a small training; the form shows its request
  await page.getByLabel('Dataset', { exact: true }).selectOption('samples');
  await page.getByLabel('Environments', { exact: true }).fill('8');
  await page.getByLabel('Iterations', { exact: true }).fill('3');
  await page.getByLabel('Run name').fill('page');
  await page.getByText('Resume, logger and extra arguments').click();
  await page.getByLabel('Extra arguments').fill('--save-interval=1');
  const asked =
    '{"task":"Wbc-Humanoid","dataset":"samples","num_envs":8,"max_iterations":3,"run_name":"page","start_from":"best","extra":"--save-interval=1"}';
  await page.getByText('Command line').click();
  await expect(page.locator('.train-foot pre')).toContainText(asked);
  const start = page.getByRole('button', { name: 'Start training' });
  await expect(start).toBeEnabled({ timeout: SLOW });
  await expect(page.getByLabel('Seed', { exact: true })).toHaveAttribute('placeholder', '42');
  await expect(page.getByLabel('Start from', { exact: true })).toHaveValue('best');
  await expect(page.getByRole('status', { name: 'Expected time' })).toHaveText(/^About .+ M steps$/);
  expect(await findings(page)).toEqual([]);

  // when: it is started
  await start.click();

  // then: its job is shown, with progress and live curves
  const job = page.getByRole('region', { name: 'Job train-samples-1' });
  await expect(job.getByRole('status', { name: 'State of the job' })).toHaveText(/Queued|Running/);
  const chart = job.getByRole('figure', { name: 'Mean reward' });
  await expect(chart.getByRole('img')).toHaveAttribute('aria-label', /over iterations\. train-samples-1: /, {
    timeout: SLOW,
  });
  await expect(job.getByRole('status', { name: 'State of the job' })).toHaveText('Done', { timeout: SLOW });
  await job.getByRole('tab', { name: 'Log' }).click();
  await expect(job.getByRole('log')).toContainText('Learning iteration 2/3');
  await job.getByRole('tab', { name: 'Settings' }).click();
  await expect(job.getByText('num_envs')).toBeVisible();
  for (const file of await job.locator('.run-files a').all()) {
    const { status } = await fetch(new URL((await file.getAttribute('href')) ?? '', studio.address));
    expect([await file.textContent(), status]).toEqual([expect.any(String), 200]);
  }

  // every checkpoint is listed, and one click plays it
  await job.getByRole('tab', { name: /Checkpoints/ }).click();
  const row = job.getByRole('row', { name: /model_1\.pt/ });
  await expect(row).toBeVisible();
  await row.getByRole('button', { name: 'Play' }).click();
  await expect(page).toHaveURL(/#\/play/);
  await expect
    .poll(async () => ((await (await fetch(`${studio.address}/api/play`)).json()) as PlayReply).session?.checkpoint, {
      timeout: SLOW,
    })
    .toBe('model_1.pt');
  await expect(page.getByLabel('Checkpoint', { exact: true })).toHaveValue('model_1.pt');

  // the form accepts a checkpoint to resume from
  await page.goto(`${studio.address}/#/train`);
  await job.getByRole('tab', { name: /Checkpoints/ }).click();
  await job
    .getByRole('row', { name: /model_1\.pt/ })
    .getByRole('button', { name: 'Resume' })
    .click();
  await expect(page.locator('.train-foot pre')).toContainText('"resume_checkpoint":"model_1.pt"');

  // the curves of a run in Runs, which /tensorboard redirects to
  const { run } = await ended(studio, 'train-samples-1');
  await page.goto('about:blank');
  await page.goto(`${studio.address}/#/runs?run=${encodeURIComponent(run ?? '')}`);
  await expect(page.getByRole('button', { name: 'Curves', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('figure', { name: 'Mean reward' }).getByRole('img')).toHaveAttribute(
    'aria-label',
    /over iterations/,
  );
  await page.getByRole('slider', { name: 'Smoothing' }).fill('0');
  await page.getByRole('switch', { name: 'Log' }).check();
  await page.getByRole('button', { name: 'Loss', exact: true }).click();
  await expect(page.getByRole('figure', { name: 'Value', exact: true })).toBeVisible();
  expect(await findings(page)).toEqual([]);
  expect(problems).toEqual([]);
});

interface PlayReply {
  readonly session: { readonly checkpoint: string } | null;
}

test('a training is played while it writes newer checkpoints, then stopped; its run and its job are deleted', async ({
  page,
  studio,
}) => {
  test.setTimeout(6 * SLOW);
  await post(studio.address, '/api/robot/select', { name: 'humanoid' });
  await post(studio.address, '/api/data/convert', { dataset: 'samples', which: 'selected', clips: ['squat'] });
  await openTrain(page, studio);
  // given: a long training
  await page.getByLabel('Environments', { exact: true }).fill('8');
  await page.getByLabel('Dataset', { exact: true }).selectOption('samples');
  await page.getByLabel('Run name').fill('stopped');
  await page.getByText('Resume, logger and extra arguments').click();
  await page.getByLabel('Extra arguments').fill('--save-interval=1');
  const start = page.getByRole('button', { name: 'Start training' });
  await expect(start).toBeEnabled({ timeout: SLOW });
  await start.click();
  const job = page.getByRole('region', { name: /^Job train-samples/ });
  const stop = job.getByRole('button', { name: 'Stop' });
  await expect(stop).toBeVisible(); // the new training is shown, not an earlier one
  const name = ((await job.getByRole('heading', { level: 2 }).textContent()) ?? '').trim();
  // when: its first checkpoint is played while it runs
  await job.getByRole('tab', { name: /Checkpoints/ }).click();
  const first = job.getByRole('row', { name: /model_0\.pt/ });
  await expect(first).toBeVisible({ timeout: SLOW });
  await expect(job.getByRole('button', { name: 'Delete run' })).toBeDisabled();
  await first.getByRole('button', { name: 'Play' }).click();
  await expect(page.getByLabel('Checkpoint', { exact: true })).toHaveValue('model_0.pt');

  // then: newer checkpoints are offered as they are written, and play on a click
  const newer = page.getByRole('status', { name: 'Newer checkpoint' });
  await expect(newer).toHaveText(/model_[1-9]\d*\.pt is newer/, { timeout: SLOW });
  const shown = await newer.textContent();
  await expect(newer).not.toHaveText(shown ?? '', { timeout: SLOW });
  await newer.getByRole('button', { name: 'Play it' }).click();
  await expect(page.getByLabel('Checkpoint', { exact: true })).toHaveValue(/model_[1-9]/, { timeout: SLOW });

  // when: the training is stopped and its run deleted
  await page.goto(`${studio.address}/#/train`);
  await stop.click();
  await expect(job.getByRole('status', { name: 'State of the job' })).toHaveText('Stopped', { timeout: SLOW });
  const { run } = await ended(studio, name);
  const startFrom = page.getByLabel('Start from', { exact: true });
  await startFrom.selectOption(run);
  await job.getByRole('tab', { name: /Checkpoints/ }).click();
  await job.getByRole('button', { name: 'Delete run' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete run' });
  await expect(dialog).toContainText(/wbc_humanoid\/.*_stopped/);
  expect(await findings(page)).toEqual([]);
  // then: the run is not deleted while the session plays it
  await dialog.getByRole('button', { name: 'Delete run' }).click();
  await expect(dialog.getByRole('alert')).toContainText('the play session uses the run');
  await post(studio.address, '/api/play/stop', {});
  await dialog.getByRole('button', { name: 'Delete run' }).click();
  await expect(dialog).toBeHidden();
  await expect(job.getByText('The run has none, was deleted')).toBeVisible();
  // then: the form shows that its choice is gone, and another one can be made
  await expect(startFrom.locator('option:checked')).toHaveText(/_stopped \(not available\)/);
  await startFrom.selectOption('fresh');
  await expect(startFrom.locator('option:checked')).toHaveText('New networks');
  const { runs } = (await (await fetch(`${studio.address}/api/runs`)).json()) as { runs: { run: string }[] };
  expect(runs.filter(({ run }) => run.endsWith('_stopped'))).toEqual([]);
  await page.getByRole('button', { name: `Remove ${name} from the list` }).click();
  const removal = page.getByRole('dialog', { name: 'Remove job' });
  await expect(removal).toContainText('This cannot be undone.');
  await removal.getByRole('button', { name: 'Remove job' }).click();
  await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0);
});
