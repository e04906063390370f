import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeNpz } from '../../src/formats/npz.ts';
import { finish, request } from '../support/client.ts';
import { floats, joblibFile, objectNpy, type Pickled, pickle, Tensor, torchFile } from '../support/pickles.ts';
import { ended, untilJob } from '../support/training.ts';
import { useStudio } from '../support/use-studio.ts';
import { addWalker } from '../support/workspace.ts';

const studio = useStudio();
const JOINTS = 4;
const FRAMES = 31;
const DATASET = 'foreign';

beforeAll(async () => {
  addWalker(studio.workspace);
  await studio.start();
  expect(await finish(studio.address, 'POST /api/robot/select', { name: 'walker' })).toMatchObject({ state: 'done' });
  expect((await request(studio.address, 'POST /api/data/new', { name: DATASET })).status).toBe(200);
});

const inData = (...parts: string[]) => path.join(studio.workspace, 'data/walker', ...parts);

async function put(file: string, content: Uint8Array) {
  const where = `/api/data/upload/${DATASET}/${encodeURIComponent(file)}`;
  const response = await fetch(studio.address + where, { method: 'PUT', body: content as never });
  return { status: response.status, body: (await response.json()) as { detail?: string; clips?: string[] } };
}

const clipsOf = async (q: string) =>
  (await request(studio.address, 'GET /api/data/clips', { dataset: DATASET, q })).body.clips;

const position = floats([FRAMES, 3], (k) => (k % 3 === 2 ? 0.5 : 0));
const identity = floats([FRAMES, 4], (k) => Number(k % 4 === 3));
const joints = floats([FRAMES, JOINTS], (k) => 0.1 * Math.sin(k / 20));

function libraryClip(changes: { readonly [key: string]: Pickled } = {}): { [key: string]: Pickled } {
  return {
    root_trans_offset: position,
    pose_aa: floats([FRAMES, JOINTS + 1, 3], () => 0),
    dof: joints,
    root_rot: identity,
    smpl_joints: floats([FRAMES, 24, 3], () => 0),
    fps: 60,
    ...changes,
  };
}

const MIMICKIT = pickle({
  loop_mode: 0,
  fps: 60,
  frames: Array.from({ length: FRAMES }, (_, frame) => [
    0,
    0,
    0.5,
    0,
    0,
    0,
    ...joints.data.subarray(4 * frame, 4 * frame + 4),
  ]),
});
const PHUMA = objectNpy({ root_trans: position, root_ori: identity, dof_pos: joints, fps: 60 });
const MOTION = torchFile({
  fps: 60,
  dof_pos: new Tensor([FRAMES, JOINTS], Float32Array.from(joints.data)),
  rigid_body_pos: new Tensor([FRAMES, 1, 3], Float32Array.from(position.data)),
  rigid_body_rot: new Tensor([FRAMES, 1, 4], Float32Array.from(identity.data)),
});

describe('a clip of', () => {
  test.each([
    ['SONIC', 'sonic.pkl', joblibFile({ walk: libraryClip() }), 'xyzw'],
    ['MimicKit', 'mimickit.pkl', MIMICKIT, 'exponential_map'],
    ['PHUMA', 'phuma.npy', PHUMA, 'xyzw'],
    ['ProtoMotions', 'proto.motion', MOTION, 'xyzw'],
  ])(
    'a clip of %s is uploaded, listed with the assumptions made, converted, played and downloaded',
    async (_, file, content, order) => {
      const clip = path.parse(file).name;
      expect(await put(file, content)).toMatchObject({ status: 200, body: { clips: [clip] } });
      const listed = await clipsOf(clip);
      expect(listed).toMatchObject([
        { name: clip, frames: FRAMES, fps: 60, error: null, status: 'missing', source: { file } },
      ]);
      expect(listed[0]!.source!.assumed).toEqual(
        expect.arrayContaining([
          { what: 'fps', value: 60, from: 'file' },
          { what: 'quaternion', value: order, from: 'format' },
          { what: 'units', value: 'm', from: 'format' },
        ]),
      );

      const load = (source: 'raw' | 'npz') =>
        finish(studio.address, 'POST /api/data/load', { dataset: DATASET, clip, source });
      expect(await load('raw')).toMatchObject({ state: 'done' });
      const raw = (await request(studio.address, 'GET /api/data/preview')).body;
      expect(raw).toMatchObject({ open: true, clip, source: 'raw', frames: FRAMES, fps: 60 });

      const options = { dataset: DATASET, which: 'selected', clips: [clip], output_fps: 50 } as const;
      const { job } = (await request(studio.address, 'POST /api/data/convert', options)).body;
      expect(await untilJob(studio.address, job, ended)).toMatchObject({ status: 'done', error: null });
      expect(await clipsOf(clip)).toMatchObject([{ name: clip, status: 'converted', fps: 50, frames: 25 }]);
      expect(await load('npz')).toMatchObject({ state: 'done' });

      const download = await fetch(`${studio.address}/api/data/download?dataset=${DATASET}&clip=${clip}&source=raw`);
      expect(Buffer.from(await download.arrayBuffer()).equals(Buffer.from(content))).toBe(true);
    },
  );

  test('a clip of another robot is refused with the numbers of joints', async () => {
    const other = { root_trans: position, root_ori: identity, dof_pos: floats([FRAMES, JOINTS + 1], () => 0), fps: 60 };
    expect(await put('other.npy', objectNpy(other))).toMatchObject({
      status: 400,
      body: {
        detail: expect.stringContaining('other.npy: the clip has 12 columns (7 of the root, 5 joints), this robot'),
      },
    });
    expect(await clipsOf('other')).toEqual([]);
  });

  test('a clip of another robot is refused with the names of joints that differ, if the file names them', async () => {
    const named = {
      root_pos: position,
      root_rot: identity,
      dof_pos: joints,
      fps: 60,
      joint_names: ['a', 'b', 'c', 'd'],
    };
    const { status, body } = await put('named.pkl', pickle(named));
    expect([status, body.detail]).toEqual([
      400,
      expect.stringContaining('named.pkl: the joints "a", "b", "c", "d" do not belong to this robot'),
    ]);
  });
});

describe('a file of several clips', () => {
  test('a file of several clips is split; each clip keeps its rate and numbers', async () => {
    const library = { one: libraryClip(), 'two fast': libraryClip({ fps: 120 }), 'no/name': libraryClip() };
    const { status, body } = await put('library.pkl', joblibFile(library));
    expect([status, body.clips]).toEqual([200, ['one', 'two fast']]);
    expect(await clipsOf('two')).toMatchObject([
      { name: 'two fast', frames: FRAMES, fps: 120, error: null, source: { file: 'two fast.pkl' } },
    ]);
    expect(await clipsOf('library')).toEqual([]);
    expect(
      readdirSync(inData(DATASET))
        .filter((name) => /^(one|two|library|no)/.test(name))
        .sort(),
    ).toEqual(['one.pkl', 'two fast.pkl']);
    expect(await finish(studio.address, 'POST /api/data/load', { dataset: DATASET, clip: 'one' })).toMatchObject({
      state: 'done',
    });
  });

  test('a file of several clips in an imported folder is split too', async () => {
    const source = path.join(studio.workspace, 'library');
    mkdirSync(source);
    writeFileSync(
      path.join(source, 'all.pkl'),
      joblibFile({ a: libraryClip(), b: libraryClip(), single: libraryClip() }),
    );
    writeFileSync(path.join(source, 'single.npy'), PHUMA);
    const busy = await finish(studio.address, 'POST /api/data/import', { source });
    expect(busy).toMatchObject({
      state: 'done',
      message: expect.stringContaining('all.pkl: "single" already exists'),
    });
    const { clips } = (await request(studio.address, 'GET /api/data/clips', { dataset: 'library' })).body;
    expect(clips.map(({ source: from, error }) => [from?.file, error])).toEqual([
      ['a.pkl', null],
      ['b.pkl', null],
      ['single.npy', null],
    ]);
  });

  test('a file of several clips is refused if one of them exists in another format, and nothing is written', async () => {
    expect((await put('three.npy', PHUMA)).status).toBe(200);
    const { status, body } = await put('more.pkl', joblibFile({ four: libraryClip(), three: libraryClip() }));
    expect([status, body.detail]).toEqual([
      400,
      expect.stringContaining('already has the clip "three" as three.npy. Delete that'),
    ]);
    expect(await clipsOf('four')).toEqual([]);
  });

  test('a file with clips of several robots is refused, naming the clip', async () => {
    const mixed = { five: libraryClip(), six: libraryClip({ dof: floats([FRAMES, 2], () => 0) }) };
    const { status, body } = await put('mixed.pkl', joblibFile(mixed));
    expect([status, body.detail]).toEqual([
      400,
      expect.stringContaining('the clip "six" has 2 joints, but "five" has 4'),
    ]);
    expect(await clipsOf('five')).toEqual([]);
  });
});

describe('human motion', () => {
  const REMEDY = 'retarget it to the robot first, for example with GMR, and upload the result';
  const amass = writeNpz([
    ['trans', { dtype: 'f8', shape: [2, 3], data: new Float64Array(6) }],
    ['poses', { dtype: 'f8', shape: [2, 156], data: new Float64Array(312) }],
    ['betas', { dtype: 'f8', shape: [16], data: new Float64Array(16) }],
    ['mocap_framerate', { dtype: 'f8', shape: [], data: Float64Array.of(120) }],
  ]);
  const omomo = {
    0: { seq_name: 'sub1', betas: floats([1, 16], () => 0), trans: position, pose_body: floats([FRAMES, 63], () => 0) },
  };

  test.each([
    ['walk.bvh', Buffer.from('HIERARCHY\nROOT Hips\n'), 'the file is a BVH recording of a human skeleton'],
    ['walk.FBX', Buffer.from('Kaydara FBX Binary  \0'), 'the file is an FBX scene'],
    ['walk.glb', Buffer.from('glTF'), 'the file is a glTF scene'],
    ['bvh.csv', Buffer.from('HIERARCHY\nROOT Hips\n'), 'the file is a BVH recording of a human skeleton'],
    ['amass.npz', Buffer.from(amass), 'the file is the motion of a human in SMPL format'],
    ['omomo.pkl', joblibFile(omomo), 'the file is the motion of a human in SMPL format'],
  ])('human motion as %s is refused with the remedy', async (file, content, what) => {
    const { status, body } = await put(file, content);
    expect([status, body.detail]).toEqual([400, expect.stringContaining(what)]);
    expect(body.detail).toContain(REMEDY);
    expect(await clipsOf(path.parse(file).name)).toEqual([]);
  });

  test('human motion in the folder of a dataset is listed as unreadable, unless the clip has another file', async () => {
    mkdirSync(inData('mixed'));
    writeFileSync(inData('mixed/walk.bvh'), 'HIERARCHY\n');
    writeFileSync(inData('mixed/run.bvh'), 'HIERARCHY\n');
    writeFileSync(inData('mixed/run.npy'), PHUMA);
    expect((await request(studio.address, 'POST /api/data/uploaded')).status).toBe(200);
    const { clips } = (await request(studio.address, 'GET /api/data/clips', { dataset: 'mixed' })).body;
    expect(clips.map(({ name, error, source }) => [name, source?.file, error])).toEqual([
      ['run', 'run.npy', null],
      [
        'walk',
        'walk.bvh',
        expect.stringContaining(`walk.bvh: the file is a BVH recording of a human skeleton; ${REMEDY}`),
      ],
    ]);
    const response = await fetch(`${studio.address}/api/data/datasets/mixed/clips/run`, { method: 'DELETE' });
    expect(response.status).toBe(200);
    expect(readdirSync(inData('mixed')).sort()).toEqual(['run.bvh', 'walk.bvh']);
  });

  test('a folder that contains only human motion cannot be imported', async () => {
    mkdirSync(path.join(studio.workspace, 'outside'));
    writeFileSync(path.join(studio.workspace, 'outside/walk.bvh'), 'HIERARCHY\n');
    const source = path.join(studio.workspace, 'outside');
    const { status, body } = await request(studio.address, 'POST /api/data/import', { source });
    expect([status, (body as { detail?: string }).detail]).toEqual([
      400,
      expect.stringContaining(`walk.bvh: the file is a BVH recording of a human skeleton; ${REMEDY}`),
    ]);
  });
});
