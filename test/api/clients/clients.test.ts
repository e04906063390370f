import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { JobFailed, MotionStudio, TaskFailed } from '../../../src/protocol/client/motion-studio.ts';
import type { StudioEvent } from '../../../src/protocol/events.ts';
import type { Frame } from '../../../src/protocol/frame.ts';
import { ReplyError } from '../../../src/protocol/http-client.ts';
import { PYTHON_ENV, pythonClientProblem } from '../../support/python-client.ts';
import { useStudio } from '../../support/use-studio.ts';

const studio = useStudio();

const HERE = import.meta.dirname;
const ROOT = path.resolve(HERE, '../../..');
const JOURNEY = path.join(ROOT, 'examples/journey');
const problem = pythonClientProblem();
if (problem !== null) console.warn(`the Python client is not tested: ${problem}`);

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'clients-'));
  await studio.start();
  writeFileSync(path.join(studio.workspace, 'data/humanoid/samples/broken.csv'), '1,2,3\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the TypeScript client', () => {
  const connect = () => new MotionStudio({ url: studio.address, WebSocket });

  test("the TypeScript client waits for slow actions and jobs, and throws the service's message on a failure", async () => {
    const client = connect();
    const loaded = await client.loadClip({ dataset: 'samples', clip: 'squat' });
    expect(loaded.busy).toMatchObject({ state: 'done', task: loaded.task });
    expect((await client.getPreview()).clip).toBe('squat');
    await expect(client.loadClip({ dataset: 'samples', clip: 'broken' })).rejects.toThrow(TaskFailed);
    const started = await client.loadClip({ dataset: 'samples', clip: 'broken' }, { wait: false });
    await expect(client.waitForTask(started.task)).rejects.toThrow('broken.csv');

    const refused = await client.loadClip({ dataset: 'samples', clip: 'nowhere' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ReplyError);
    expect(refused).toMatchObject({ status: 400, message: expect.stringMatching(/^clip: /) });

    const { job } = await client.convertDataset({ dataset: 'samples', which: 'selected', clips: ['broken'] });
    await expect(client.waitForJob(job)).rejects.toThrow(JobFailed);
    const nobody = new MotionStudio({ url: 'http://127.0.0.1:9' });
    await expect(nobody.getHealth()).rejects.toMatchObject({ status: 0 });
  });

  test('the TypeScript client uploads and downloads files', async () => {
    const client = connect();
    const bytes = await (await client.downloadClip({ dataset: 'samples', clip: 'squat', source: 'raw' })).arrayBuffer();
    expect(Buffer.from(bytes)).toEqual(readFileSync(path.join(studio.workspace, 'data/humanoid/samples/squat.csv')));
    await client.createDataset({ name: 'sent' });
    await client.uploadClip({ dataset: 'sent', file: 'squat, again.csv' }, bytes);
    const { clips } = await client.listClips({ dataset: 'sent' });
    expect(clips.map(({ name }) => name)).toEqual(['squat, again']);
  });

  test('the TypeScript client decodes frames, delivers events, and is named in the events that it causes', async () => {
    const client = connect();
    const events: StudioEvent[] = [];
    let onClip: (frame: Frame) => void = () => {};
    let onClosed: (reason: string) => void = () => {};
    const arrived = new Promise<Frame>((resolve) => {
      onClip = resolve;
    });
    const closed = new Promise<string>((resolve) => {
      onClosed = resolve;
    });
    const live = await client.live({
      fps: 30,
      frame: (frame) => {
        if (frame.header.hud.clip === 'squat') onClip(frame);
      },
      event: (event) => events.push(event),
      closed: (reason) => onClosed(reason),
    });
    expect(live.client.role).toBe('control');
    await client.showRobot();
    await client.loadClip({ dataset: 'samples', clip: 'squat' });
    const { header, blob } = await arrived;
    expect(header.poses.count).toBe(header.n * header.nbody * 7);
    const [w = 0, x = 0, y = 0, z = 0] = blob.subarray(header.poses.offset + 3, header.poses.offset + 7);
    expect(Math.hypot(w, x, y, z)).toBeCloseTo(1, 4);
    expect(events).toContainEqual(
      expect.objectContaining({ topic: 'owner', payload: { owner: 'data', by: live.client.id } }),
    );
    live.close();
    expect(await closed).toContain('code');
  });
});

describe.skipIf(problem !== null)('the Python client', () => {
  const python = async (...args: string[]) => {
    const { stdout } = await execa('python3', args, { env: PYTHON_ENV });
    return stdout;
  };

  test('the Python client waits, uploads, downloads, decodes frames and raises errors with their field', async () => {
    const printed = await python(path.join(HERE, 'checks.py'), studio.address, folder);
    expect(printed).toBe('all checks passed');
  });

  test('the Python client does all steps from clips to a tested bundle', async () => {
    const short = ['--iterations', '2', '--envs', '16', '--seconds', '0.5', '--output', folder];
    const printed = await python(`${JOURNEY}.py`, '--url', studio.address, ...short);
    const result = JSON.parse(printed.split('\n').at(-1)!) as Record<string, unknown>;
    expect(result).toMatchObject({ run: expect.stringMatching(/_journey$/), selftest: { ok: true } });
    expect(result['frames']).toBeGreaterThan(1);
    for (const file of ['report', 'recording', 'bundle']) expect(result[file]).toBeGreaterThan(1000);
    expect(printed).toContain('refused with 400, field dataset: ');
  }, 420_000);
});

const SHELL_TOOLS = ['bash', 'curl', 'jq'];
const missingTools = SHELL_TOOLS.filter((name) => spawnSync('which', [name]).status !== 0);
if (missingTools.length > 0) console.warn(`the journey in a shell is not tried: no ${missingTools.join(', ')}`);

test.skipIf(missingTools.length > 0)(
  'the shell script does all steps from an empty folder to a tested bundle, with a gate',
  async () => {
    const bin = path.join(folder, 'bin');
    mkdirSync(bin);
    symlinkSync(path.join(ROOT, 'bin/motion-studio.cjs'), path.join(bin, 'motion-studio'));
    const PATH = [bin, process.env['PATH']].join(path.delimiter);
    const env = { PATH, ITERATIONS: '2', ENVS: '16', GATE: 'tracked_s>=0.1' };
    const made = path.join(folder, 'made');
    const { stdout } = await execa('bash', [`${JOURNEY}.sh`, made], { env });
    expect(stdout).toMatch(/^squat: 0 issues, worst: ok$/m);
    expect(stdout).toContain('PASS tracked_s');
    expect(stdout).toContain('a missed gate ends with exit code 3');
    expect(stdout).toContain('self-test passed');
    for (const file of ['report.html', 'bundle.zip'])
      expect(statSync(path.join(made, file)).size).toBeGreaterThan(1000);
  },
  420_000,
);
