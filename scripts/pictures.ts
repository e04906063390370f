/** Takes the pictures of the guides from the page, in light and dark: `npm run pictures [-- WORKSPACE]`. Needs
 *  Chromium. Without WORKSPACE, creates a temporary workspace and trains a policy in it. With WORKSPACE, keeps that
 *  folder and shows its newest run if there is one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import { MotionStudio } from '../src/protocol/client/motion-studio.ts';
import { humanoidMjcf } from '../src/robots/humanoid/humanoid.ts';
import { CHROMIUM_ARGS, findChromium } from './chromium.mjs';

const COMMAND = fileURLToPath(new URL('../bin/motion-studio.cjs', import.meta.url));
const TARGET = fileURLToPath(new URL('../docs/pictures', import.meta.url));
const VIEWPORT = { width: 1200, height: 720 };
/** Largest size of a picture, bytes. `test/docs-site.test.ts` tests a limit that is a little higher. */
const MAX_BYTES = 45_000;
/** Time that a software renderer needs to draw a pose at full quality, ms. */
const DRAWN_MS = 3000;
/** Number of pictures until the scene shows a robot: the floor, the robot at a lower resolution, the robot. */
const FIRST_PICTURES = 3;

interface Stage {
  readonly page: Page;
  readonly address: string;
  readonly studio: MotionStudio;
  readonly run: string;
}

/** Waits until the scene shows its robot. */
async function sceneDrawn(page: Page): Promise<void> {
  await page.waitForFunction((least) => {
    const { motionStudio } = window as unknown as { motionStudio?: { stats: { drawn: number } } };
    return motionStudio !== undefined && motionStudio.stats.drawn >= least;
  }, FIRST_PICTURES);
}

/** Prepares the page for each picture, by the name of the picture. */
const PICTURES: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  clip: async ({ page, address, studio }) => {
    await studio.loadClip({ dataset: 'samples', clip: 'walk_forward' });
    await studio.setPreviewPlaying({ playing: false });
    await studio.seekPreviewFrame({ frame: 84 });
    await page.goto(`${address}/#/data/samples/walk_forward`);
    await page.getByLabel('Frame', { exact: true }).waitFor();
    await sceneDrawn(page);
  },
  robot: async ({ page, address, studio }) => {
    const { unfinished } = await studio.getImportState();
    for (const { id } of unfinished) await studio.deleteUpload({ id });
    await page.goto(`${address}/#/robots/import`);
    await page.getByLabel('Robot folder').setInputFiles(robotFolder);
    await page.getByRole('button', { name: /^Upload / }).click();
    await page.getByRole('button', { name: 'Read model', exact: true }).click();
    await page.getByRole('tab', { name: /Bodies/ }).click();
    await sceneDrawn(page);
  },
  training: async ({ page, address, run }) => {
    await page.goto(`${address}/#/runs?run=${encodeURIComponent(run)}`);
    await page.getByRole('figure', { name: 'Mean reward' }).waitFor();
  },
  play: async ({ page, address, studio, run }) => {
    await studio.configurePlay({ run, num_envs: 4 });
    await studio.setPlayOptions({ ghost: 'beside' });
    await page.goto(`${address}/#/play`);
    await page.locator('.env-tag.focused').waitFor();
    await sceneDrawn(page);
  },
  evaluation: async ({ page, address }) => {
    await page.goto(`${address}/#/play`);
    await page.getByRole('button', { name: 'Evaluate', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Evaluations' });
    await dialog.getByRole('navigation').getByRole('list').getByRole('button').first().click();
    await dialog.getByRole('tab', { name: 'Margins' }).click();
  },
};

const folder = mkdtempSync(path.join(tmpdir(), 'motion-studio-pictures-'));
const robotFolder = path.join(folder, 'my-robot');
mkdirSync(robotFolder);
writeFileSync(path.join(robotFolder, 'my-robot.xml'), humanoidMjcf());
const workspace = process.argv[2] ?? path.join(folder, 'workspace');
const service = spawn(process.execPath, [COMMAND, '--workspace', workspace, '--port', '0', '--log-level', 'warn'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const executablePath = findChromium();
if (executablePath === null) throw new Error('no Chromium: name one in MOTION_STUDIO_CHROMIUM');
const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGS] });
try {
  const [line] = (await once(service.stdout, 'data')) as [Buffer];
  const address = line.toString().trim().split(' ').at(-1)!;
  const studio = new MotionStudio({ url: address });
  const run = await prepare(studio);
  mkdirSync(TARGET, { recursive: true });
  for (const scheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: VIEWPORT, colorScheme: scheme, reducedMotion: 'reduce' });
    for (const [name, show] of Object.entries(PICTURES)) {
      await page.goto('about:blank');
      await show({ page, address, studio, run });
      await page.waitForTimeout(DRAWN_MS);
      const picture = await webp(browser, await page.screenshot());
      writeFileSync(path.join(TARGET, `${name}-${scheme}.webp`), picture);
      process.stderr.write(`${name}-${scheme}.webp ${Math.round(picture.length / 1000)} kB\n`);
    }
    await page.close();
  }
} finally {
  await browser.close();
  service.kill('SIGTERM');
  await once(service, 'exit');
  rmSync(folder, { recursive: true });
}

/** Converts clips, trains and evaluates, so that the pictures have content. @returns the run */
async function prepare(studio: MotionStudio): Promise<string> {
  const [known] = (await studio.listRuns()).runs;
  const run = known?.path ?? (await train(studio));
  if ((await studio.listEvaluations({ run })).evaluations.length === 0) {
    const { job } = await studio.startEvaluation({ run });
    await studio.waitForJob(job);
  }
  return run;
}

async function train(studio: MotionStudio): Promise<string> {
  await studio.waitForJob((await studio.convertDataset({ dataset: 'samples' })).job);
  const { tasks } = await studio.getSelectedRobot();
  const launched = await studio.launchTraining({
    task: tasks[0]!,
    dataset: 'samples',
    max_iterations: 60,
    num_envs: 64,
    seed: 1,
  });
  if (!('job' in launched)) throw new Error('the training was not started');
  await studio.waitForJob(launched.job);
  return launched.run;
}

/** Encodes a PNG picture as WebP, as well as `MAX_BYTES` allows. */
async function webp(encoder: Browser, png: Buffer): Promise<Buffer> {
  const page = await encoder.newPage();
  try {
    for (let quality = 0.9; ; quality -= 0.1) {
      const encoded = await page.evaluate(encode, [png.toString('base64'), quality] as const);
      const bytes = Buffer.from(encoded.slice(encoded.indexOf(',') + 1), 'base64');
      if (bytes.length <= MAX_BYTES || quality < 0.3) return bytes;
    }
  } finally {
    await page.close();
  }
}

/** Runs in the browser. */
async function encode([png, quality]: readonly [string, number]): Promise<string> {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext('2d')!.drawImage(image, 0, 0);
  return canvas.toDataURL('image/webp', quality);
}
