import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { BundleArchive } from '../../src/export/layouts/bundle-archive.ts';
import { readZip } from '../../src/formats/zip.ts';
import { writeZip } from '../../src/formats/zip-write.ts';
import type { Busy } from '../../src/protocol/schemas/busy.ts';
import type { Export, SelfTest } from '../../src/protocol/schemas/exports.ts';
import { request } from '../support/client.ts';
import { rawZip } from '../support/hostile-files.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { addSmallRun } from '../support/small-run.ts';
import { addConverted } from '../support/training.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();

const RUN = 'small/zero';
const runs = () => path.join(studio.workspace, 'logs/rsl_rl');

beforeAll(async () => {
  const joints = (await preparedHumanoid()).facts.joints.length;
  addSmallRun(runs(), joints, RUN, { action: 0.1 });
  await studio.start();
  await addConverted(studio.address, studio.workspace, 'two', ['squat', 'walk_forward']);
}, 120_000);

const post = (body: object) =>
  request(studio.address, 'POST /api/export', { run: RUN, ...body }, { prefer: 'wait=60' });
const list = async (query: object = {}): Promise<Export[]> =>
  (await request(studio.address, 'GET /api/exports', query)).body.exports;
const folderOf = (name: string) => path.join(runs(), RUN, 'exports', name);

/** Exports to the end. */
async function exported(body: object): Promise<Export> {
  const reply = await post(body);
  if (reply.status !== 200) throw new Error(reply.body.detail);
  const busy = reply.body.busy as Busy;
  if (busy.state !== 'done') throw new Error(busy.error ?? busy.state);
  return (await list({ run: RUN })).find(({ name }) => name === busy.result!['export'])!;
}

async function download(name: string): Promise<Uint8Array> {
  const reply = await fetch(`${studio.address}/api/exports/${name}`);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/zip']);
  return new Uint8Array(await reply.arrayBuffer());
}

async function check(zip: Uint8Array): Promise<{ status: number; detail?: string; selftest: SelfTest }> {
  const reply = await fetch(`${studio.address}/api/exports/check`, { method: 'PUT', body: Buffer.from(zip) });
  return { status: reply.status, ...((await reply.json()) as { detail?: string; selftest: SelfTest }) };
}

describe('a bundle', () => {
  test.each(['whole_body_tracking', 'unitree', 'wbc-g1-deploy'] as const)(
    'a bundle for %s is listed with its self-test, downloads as a zip that passes the check, and is deleted',
    async (format) => {
      const made = await exported({ format, clip: 'squat', selftest_s: 1 });
      expect(made).toMatchObject({
        name: `squat-${format}`,
        run: RUN,
        format,
        checkpoint: 'policy.onnx',
        clip: 'squat',
      });
      expect(made.selftest.text).toContain('21 joints compared');
      expect(made.selftest).toMatchObject({ ok: true });
      expect(made.selftest.max_action_difference).toBeLessThan(1e-5);
      expect(made.selftest.tracked_s).toBe(made.selftest.run_tracked_s);

      const zip = await download(made.name);
      const archive = await BundleArchive.unzip(zip);
      for (const file of archive.paths)
        expect([
          file,
          Buffer.from(archive.bytes(file)).equals(readFileSync(path.join(runs(), RUN, 'exports', file))),
        ]).toEqual([file, true]);
      expect(archive.only('README.md')).not.toBeNull();
      const { status, selftest } = await check(zip);
      expect({ status, ...selftest }).toMatchObject({ status: 200, ok: true });
      expect(selftest.max_action_difference).toBeLessThan(1e-5);

      expect((await fetch(`${studio.address}/api/exports/${made.name}`, { method: 'DELETE' })).status).toBe(200);
      expect((await list()).map(({ name }) => name)).not.toContain(made.name);
    },
    60_000,
  );

  test('a bundle with two joints exchanged by hand fails the check, and the text names them', async () => {
    const { name } = await exported({ format: 'wbc-g1-deploy', clip: 'squat', selftest_s: 0.5 });
    const entries = await readZip(await download(name), () => Number.POSITIVE_INFINITY);
    const file = [...entries.keys()].find((path) => path.endsWith('params/config.yaml'))!;
    const text = Buffer.from(entries.get(file)!.bytes).toString();
    const swapped = text
      .replace('- left_knee', '- SWAP')
      .replace('- right_hip_pitch', '- left_knee')
      .replace('- SWAP', '- right_hip_pitch');
    expect(swapped).not.toBe(text);
    const files = new Map(
      [...entries].map(([path, { bytes }]) => [path, path === file ? Buffer.from(swapped) : bytes]),
    );
    const { status, selftest } = await check(writeZip(files));
    expect({ status, ok: selftest.ok }).toEqual({ status: 200, ok: false });
    expect(selftest.text).toMatch(/left_knee.*position in the clip differs/);
  }, 60_000);

  test('the bundle of a second export of the same clip has its own name', async () => {
    const names = await Promise.all(
      [0, 1].map(async () => (await exported({ format: 'unitree', clip: 'squat', selftest_s: 0.1 })).name),
    );
    expect(new Set(names).size).toBe(2);
    expect(readdirSync(path.join(runs(), RUN, 'exports')).filter((name) => name.startsWith('.'))).toEqual([]);
    for (const name of names) expect(existsSync(path.join(folderOf(name), 'bundle.json'))).toBe(true);
  }, 60_000);
});

test.each([
  [{}, /^format: /],
  [{ format: 'onnx' }, /^format: /],
  [{ format: 'unitree' }, /^clip: .* has 2 clips\. Choose one of squat, walk_forward/],
  [{ format: 'unitree', clip: 'squad' }, /^clip: .*did you mean "squat"/],
  [{ format: 'unitree', clip: 'squat', checkpoint: '' }, /^checkpoint: zero actions cannot be exported/],
  [{ format: 'unitree', clip: 'squat', checkpoint: 'model_3.pt' }, /^checkpoint: .*has no checkpoint "model_3.pt"/],
  [{ format: 'unitree', clip: 'squat', stand_in_s: -1 }, /^stand_in_s: /],
  [{ format: 'unitree', clip: 'squat', run: 'small/none' }, /^run: /],
])('the export request %j is refused with 400 naming the field', async (body, message) => {
  const { status, body: reply } = await post(body);
  expect(status).toBe(400);
  expect(reply.detail).toMatch(message);
});

test('a zip file with a name that leaves the bundle is refused with 400', async () => {
  for (const name of ['../evil.yaml', '/etc/evil', 'a/../../b', 'c:\\d'])
    expect(await check(writeZip(new Map([[name, Buffer.from('x')]])))).toMatchObject({
      status: 400,
      detail: expect.stringMatching(/zip file/) as string,
    });
  expect(await check(Buffer.from('no zip'))).toMatchObject({ status: 400 });
});

test('a bundle that would expand beyond its limit is refused with 400 before it is expanded', async () => {
  const content = new Uint8Array(65 << 20);
  for (const claimed of [content.length, 0xffff_fff0])
    expect(await check(rawZip([{ name: 'a/policy.onnx', content, deflate: true, claimed }]))).toMatchObject({
      status: 400,
      detail: expect.stringMatching(/expands to more than \d+ MiB/) as string,
    });
});

test('an export that was copied with a run and lists files outside of its folder cannot be downloaded', async () => {
  const { name } = await exported({ format: 'wbc-g1-deploy', clip: 'squat', selftest_s: 0.1 });
  writeFileSync(path.join(studio.workspace, 'secret.txt'), 'secret');
  const record = JSON.parse(readFileSync(path.join(folderOf(name), 'bundle.json'), 'utf8')) as { files: string[] };
  for (const [copy, file] of [
    ['climbs', '../../../../../../secret.txt'],
    ['absolute', path.join(studio.workspace, 'secret.txt')],
    ['follows', 'link/secret.txt'],
  ] as const) {
    cpSync(folderOf(name), folderOf(copy), { recursive: true });
    symlinkSync(studio.workspace, path.join(folderOf(copy), 'link'));
    writeFileSync(path.join(folderOf(copy), 'bundle.json'), JSON.stringify({ ...record, name: copy, files: [file] }));
    const reply = await fetch(`${studio.address}/api/exports/${copy}`);
    expect([copy, reply.status, ((await reply.json()) as { detail: string }).detail]).toEqual([
      copy,
      400,
      expect.stringMatching(/lists a file outside of its folder/),
    ]);
  }
}, 60_000);
