import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.ts';

/** What a script written against the generated types does: `node smoke.mts <address>`. Compiled strictly, then run. */
const client = createClient<paths>({ baseUrl: process.argv[2] ?? '' });
const wait = { header: { Prefer: 'wait=30' } };

const { data: robots } = await client.GET('/api/robots');
const robot: components['schemas']['RobotSummary'] | undefined = robots?.robots.find(({ selected }) => selected);
assert.equal(robot?.id, robots?.selected);

const selected = await client.POST('/api/robot/select', { params: wait, body: { name: robot?.id ?? '' } });
assert.equal(selected.data?.busy?.state, 'done');

const loaded = await client.POST('/api/data/load', { params: wait, body: { dataset: 'samples', clip: 'squat' } });
assert.equal(loaded.data?.busy?.state, 'done');
const { data: preview } = await client.GET('/api/data/preview');
assert.equal(preview?.clip, 'squat');
const source: 'npz' | 'raw' | null | undefined = preview?.source;
assert.equal(source, 'raw');

const clips = await client.GET('/api/data/clips', {
  params: { query: { dataset: 'samples', q: 'squat', status: 'missing' } },
});
assert.equal(clips.data?.clips[0]?.name, 'squat');

const started = await client.POST('/api/data/convert', {
  body: { dataset: 'samples', which: 'selected', clips: ['squat'] },
});
const name = started.data?.job ?? '';
let job: components['schemas']['Job'] | undefined;
for (let tries = 0; job?.status !== 'done' && tries < 300; tries++) {
  const read = await client.GET('/api/jobs/{name}', { params: { path: { name }, query: { tail: 5 } } });
  assert.ok(Array.isArray(read.data?.log));
  job = read.data;
  assert.ok(job?.status !== 'failed' && job?.status !== 'lost', job?.error ?? '');
  await new Promise((resolve) => setTimeout(resolve, 100));
}
assert.equal(job?.status, 'done');

const uploaded = await client.PUT('/api/robots/import/upload/{id}/{path}', {
  params: { path: { id: 'scout', path: 'meshes/left leg/foot.stl' } },
  body: 'solid foot\nendsolid foot\n',
  bodySerializer: (text) => text,
  headers: { 'content-type': 'application/octet-stream' },
});
assert.deepEqual(uploaded.data, { ok: true, path: 'meshes/left leg/foot.stl', bytes: 25 });
const files = await client.GET('/api/robots/import/files', { params: { query: { id: 'scout' } } });
assert.equal(files.data?.files[0]?.kind, 'mesh');
await client.DELETE('/api/robots/import/{id}', { params: { path: { id: 'scout' } } });

const modules = await client.GET('/api/presets/schema', {
  params: { query: { base: robot?.tasks[0] ?? '', modules: ['no_such_module'] } },
});
assert.equal(modules.response.status, 400);
assert.match(modules.error?.detail ?? '', /no_such_module/);

const trial = await client.POST('/api/train/launch', {
  body: { task: robot?.tasks[0] ?? '', dataset: 'samples', num_envs: 8, dry_run: true },
});
assert.ok(trial.data && 'dry_run' in trial.data, trial.error?.detail);
const checks: readonly components['schemas']['Check'][] = trial.data.checks;
assert.ok(checks.length > 0);

const refused = await client.POST('/api/play/push', { body: { speed: 1 } });
assert.equal(refused.response.status, 409);
const detail: string | undefined = refused.error?.detail;
assert.match(detail ?? '', /session/);

// @ts-expect-error a path that is not in the document
await client.GET('/api/robotz');
// @ts-expect-error a field that the row does not have
assert.equal((await client.POST('/api/robot/select', { body: { nam: 'x' } })).response.status, 400);

process.stdout.write('all calls as expected\n');
