import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { LogLine } from '../../src/protocol/schemas/log.ts';
import { finish, Listener, request } from '../support/client.ts';
import { WALKER_MJCF } from '../support/models.ts';
import { until } from '../support/play-client.ts';
import { addExternalTrainer, ended, untilJob } from '../support/training.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();

const SLOW_MS = 180_000;
const TOKEN = 'T0psecret';
const STARTED = [
  'info service: motion-studio <version> starts on Node <node>, process <pid>, workspace <workspace>',
  'info robots: Robot humanoid is selected',
  'info gateway: transport <name>',
  'info service: Listening on http://<address> after <time>: a token is set, <threads> for work on files',
];

let outside: string;
/** stderr of the services that have ended */
let stderr = '';

beforeAll(async () => {
  outside = addExternalTrainer(studio.workspace);
  await start();
}, SLOW_MS);

async function start(): Promise<void> {
  await studio.start(['--log-level', 'info', '--token', TOKEN]);
}

async function stop(): Promise<void> {
  await studio.stop();
  stderr += studio.service.stderr();
}

/** Log lines as `level source: message`; placeholders replace the parts that differ from run to run. */
function story(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: string; source: string; msg: string })
    .map(({ level, source, msg }) => `${level} ${source}: ${plain(msg)}`);
}

function plain(message: string): string {
  return message
    .replaceAll(studio.workspace, '<workspace>')
    .replace(/\b\d+(\.\d+)? (s|min)\b/g, '<time>')
    .replace(/\d{4}-\d\d-\d\d_[\d-]+(_\d+)?/g, '<run>')
    .replace(/(evaluation <time>), [\d.]+ % full/, '$1, <share> full')
    .replace(/127\.0\.0\.1:\d+/, '<address>')
    .replace(/process \d+/, 'process <pid>')
    .replace(/\d+ threads?/, '<threads>')
    .replace(/^transport .*/, 'transport <name>')
    .replace(/^(motion-studio) \S+ starts on Node \S+ \(.*?\)/, '$1 <version> starts on Node <node>');
}

const post = (at: string, body: object) =>
  fetch(studio.address + at, {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'wait=60' },
    body: JSON.stringify(body),
  });
const send = (method: 'PUT' | 'DELETE', at: string, body?: string) =>
  fetch(studio.address + at, {
    method,
    ...(body === undefined
      ? {}
      : { body, headers: { 'content-type': body.startsWith('{') ? 'application/json' : 'text/csv' } }),
  });
const status = async (answer: Promise<Response>) => (await answer).status;
const job = async (key: 'POST /api/train/launch' | 'POST /api/data/convert', body: object) => {
  const reply = await request(studio.address, key, body);
  if (reply.status !== 200) throw new Error(reply.body.detail);
  return reply.body.job!;
};

/** Waits until a job has ended and the service's log says so: the line is written after the job's own log is read. */
const untilLogged = async (name: string) => {
  await untilJob(studio.address, name, ended, 120_000);
  const end = new RegExp(`^${name} (done|stopped)`);
  const log = async () => (await request(studio.address, 'GET /api/log', { tail: '1000' })).body.lines;
  await until(log, (lines) => lines.some(({ message }) => end.test(message)));
};

test('the log of a night of work contains each event once, under its source', { timeout: SLOW_MS }, async () => {
  const listener = await Listener.open(studio.address);

  // A robot is uploaded, saved, selected and deleted.
  expect(await status(send('PUT', '/api/robots/import/upload/walker/walker.xml', WALKER_MJCF))).toBe(200);
  const { body } = await request(studio.address, 'POST /api/robots/import/inspect', {
    id: 'walker',
    model: 'walker.xml',
  });
  expect((await request(studio.address, 'POST /api/robots/import/save', { spec: body.spec })).status).toBe(200);
  await finish(studio.address, 'POST /api/robot/select', { name: 'walker' });
  expect(await status(send('DELETE', '/api/robots/walker'))).toBe(200);

  // A dataset is created, filled, refused, loaded, scanned, converted and deleted.
  expect((await request(studio.address, 'POST /api/data/new', { name: 'mine' })).status).toBe(200);
  const clip = await (await fetch(`${studio.address}/api/data/download?dataset=samples&clip=squat&source=raw`)).text();
  expect(await status(send('PUT', '/api/data/upload/mine/squat.csv', clip))).toBe(200);
  expect(await status(send('PUT', '/api/data/upload/mine/bad.csv', '1,2,3\n'))).toBe(400);
  expect((await request(studio.address, 'POST /api/data/uploaded')).status).toBe(200);
  expect(await finish(studio.address, 'POST /api/data/load', { dataset: 'mine', clip: 'squat' })).toMatchObject({
    state: 'done',
  });
  await finish(studio.address, 'POST /api/data/scan', { dataset: 'mine' });
  writeFileSync(path.join(studio.workspace, 'data/humanoid/mine/broken.csv'), '1,2,3\n');
  expect(await finish(studio.address, 'POST /api/data/load', { dataset: 'mine', clip: 'broken' })).toMatchObject({
    state: 'failed',
  });
  await untilLogged(await job('POST /api/data/convert', { dataset: 'mine' }));

  // A preset, a training that uses it, and the trained policy.
  expect(await status(send('PUT', '/api/presets/fast', '{"base": "Wbc-Humanoid"}'))).toBe(200);
  const training = { task: 'Wbc-Humanoid--fast', dataset: 'mine', num_envs: 16, max_iterations: 2 };
  const trained = await job('POST /api/train/launch', training);
  await untilLogged(trained);
  const { run } = (await request(studio.address, 'GET /api/jobs')).body.jobs.find(({ name }) => name === trained)!;
  await finish(studio.address, 'POST /api/play/configure', { run, num_envs: 2 });
  expect(await status(post('/api/play/stop', {}))).toBe(200);
  expect(await status(send('DELETE', `/api/runs?run=${run}`))).toBe(200);
  expect(await status(send('DELETE', '/api/presets/fast'))).toBe(200);
  expect(await status(post('/api/data/close', {}))).toBe(200);
  expect(await status(send('DELETE', '/api/data/datasets/mine/clips/squat'))).toBe(200);

  // Refused requests: from elsewhere without a token, from another site, with another media type, with invalid content.
  const foreign = { 'x-forwarded-for': '192.0.2.7' };
  for (let k = 0; k < 20; k += 1)
    expect(await status(fetch(`${studio.address}/api/robots`, { headers: foreign }))).toBe(401);
  const evil = { origin: 'http://evil.example' };
  expect(await status(fetch(`${studio.address}/api/robot/joint`, { method: 'POST', headers: evil }))).toBe(403);
  expect(await status(fetch(`${studio.address}/api/robot/joint`, { method: 'POST', body: 'name=x' }))).toBe(415);
  for (let k = 0; k < 30; k += 1) expect(await status(post('/api/robot/joint', { name: 'x', value: k }))).toBe(400);
  expect(await status(fetch(`${studio.address}/nowhere`))).toBe(404);

  // A training that outlives the service, and one that is stopped while it is queued.
  await untilLogged(await job('POST /api/data/convert', { dataset: 'samples' }));
  const small = { task: 'Wbc-Humanoid', dataset: 'samples', trainer: 'small' };
  const held = await job('POST /api/train/launch', { ...small, extra: [`--hold=${path.join(outside, 'go')}`] });
  await untilJob(studio.address, held, ({ step }) => step === 4);
  const waiting = await job('POST /api/train/launch', small);
  expect(await status(post(`/api/jobs/${waiting}/stop`, {}))).toBe(200);
  await untilLogged(waiting);

  // Clients received the same lines as stderr, each once.
  const { lines } = (await request(studio.address, 'GET /api/log', { tail: '1000' })).body;
  const heard = listener.events.flatMap(({ topic, payload }) => (topic === 'log' ? [payload as LogLine] : []));
  const joined = lines.findIndex(({ seq }) => seq === heard[0]!.seq);
  expect(heard).toEqual(lines.slice(joined));
  expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, k) => k + 1));
  listener.close();
  await stop();
  expect(studio.service.stdout()).toBe(`motion-studio listening on ${studio.address}\n`);

  await start();
  writeFileSync(path.join(outside, 'go'), '');
  await untilLogged(held);
  await stop();

  const all = story(stderr);
  const refused = all.filter((line) => line.includes(' refused with '));
  const columns =
    'line 1, column 3: the line has only 3 columns; a clip has at least 8: x, y, z, qx, qy, qz, qw, one per joint';
  expect(all.filter((line) => !refused.includes(line))).toEqual([
    ...STARTED,
    'info robots: Upload walker: model walker.xml inspected, 4 joints, 2 warnings',
    'info robots: Robot walker saved: 4 joints',
    'info robots: Robot walker selected: 4 joints, 16.0 kg, in <time>',
    'info robots: Robot humanoid is selected, because walker was deleted',
    'info robots: Robot walker deleted',
    'info data: Dataset mine created',
    'info data: squat.csv uploaded into mine: 61.9 kB',
    'info data: Clip squat of mine loaded (raw): 229 frames at 30 a second, in <time>',
    'info data: Dataset mine scanned: 1 clip, <time> of motion, in <time>',
    `warn data: Loading broken failed: broken.csv: ${columns}`,
    'info jobs: convert-mine-1 queued: 2 clips of dataset mine (missing)',
    'info jobs: convert-mine-1 started',
    `warn jobs: convert-mine-1 done after <time>: 1 of 2 clips converted; 1 of 2 clips could not be converted: broken (broken.csv: ${columns})`,
    'info presets: Preset fast written',
    'info jobs: train-mine-1 launched: task Wbc-Humanoid--fast, dataset mine, 16 environments, 2 iterations, trainer builtin, launcher local',
    'info jobs: train-mine-1 started',
    'info jobs: train-mine-1 done after <time>: 2 of 2 iterations; last evaluation <time>, <share> full; run wbc_humanoid/<run>',
    'info play: Session 1 plays wbc_humanoid/<run>, model_1.pt, in 2 environments on 1 clip, in <time>',
    'info play: Session 1 of wbc_humanoid/<run> stopped by request, after <time> of simulation',
    'info jobs: Run wbc_humanoid/<run> deleted',
    'info presets: Preset fast deleted',
    'info data: Clip squat of mine deleted',
    'info jobs: convert-samples-1 queued: 6 clips of dataset samples (missing)',
    'info jobs: convert-samples-1 started',
    'info jobs: convert-samples-1 done after <time>: 6 of 6 clips converted',
    'info jobs: train-samples-1 launched: task Wbc-Humanoid, dataset samples, 64 environments, 5 iterations, trainer small, launcher local',
    'info jobs: train-samples-1 started',
    'info jobs: train-samples-2 launched: task Wbc-Humanoid, dataset samples, 64 environments, 5 iterations, trainer small, launcher local',
    'info jobs: train-samples-2 waits for its turn',
    'info jobs: train-samples-2 was asked to stop',
    'info jobs: train-samples-2 stopped by request',
    'info service: Stopping on SIGTERM, after <time>',
    'info jobs: train-samples-1 continues without the service: running, 4 of 5 iterations',
    'info service: Stopped',
    STARTED[0],
    'info jobs: train-samples-1 was found again after the restart: running, 4 of 5 iterations',
    ...STARTED.slice(1),
    'info jobs: train-samples-1 done after <time>: 5 of 5 iterations; run outside/<run>',
    'info service: Stopping on SIGTERM, after <time>',
    'info service: Stopped',
  ]);

  // Refusals: each reason is logged once and then summed up. A summary can be written at any time, so compare totals.
  expect([...new Set(refused.filter((line) => !line.includes(': and ')))].sort()).toEqual([
    `info gateway: POST /api/robot/joint refused with 400: name: humanoid has no joint "x"`,
    'info gateway: POST /api/robot/joint refused with 415: the body must be JSON. Send it with the header content-type: application/json',
    `info gateway: PUT /api/data/upload/mine/bad.csv refused with 400: bad.csv: ${columns}`,
    'warn gateway: GET /api/robots from 127.0.0.1 refused with 401: token required: open /?token=<token> once in the browser, or send the header "Authorization: Bearer <token>"',
    'warn gateway: POST /api/robot/joint from 127.0.0.1 refused with 403: requests from pages of other sites are refused',
  ]);
  const counts: Record<string, number> = {};
  for (const line of refused) {
    const [, more = '1', code = ''] = /(?:and ([\d,]+) more .*)?refused with (\d+)/.exec(line)!;
    counts[code] = (counts[code] ?? 0) + Number(more);
  }
  expect(counts).toEqual({ 400: 31, 401: 20, 403: 1, 415: 1 });
  expect(refused.length).toBeLessThan(12);
  expect(stderr).not.toContain(TOKEN);
});
