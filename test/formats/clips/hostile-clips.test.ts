import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { StudioError } from '../../../src/core/errors.ts';
import { clipFileTypeOf, isBundle } from '../../../src/formats/clip-registry.ts';
import {
  floats,
  joblibFile,
  objectNpy,
  type Pickled,
  PythonCall,
  pickle,
  Tensor,
  torchFile,
} from '../../support/pickles.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'hostile-clips-'));
afterAll(() => rmSync(folder, { recursive: true }));

const entry: Pickled = {
  root_trans_offset: floats([2, 3], () => 0),
  dof: floats([2, 1], () => 0),
  root_rot: floats([2, 4], () => 0.5),
  fps: 30,
};
const plain = pickle({ a: entry, b: entry }, { arrays: 'joblib 1.2' });
const WHOLE: readonly (readonly [string, Buffer])[] = [
  ['joblib.pkl', plain],
  ['compressed.pkl', joblibFile({ a: entry, b: entry })],
  ['mimickit.pkl', pickle({ loop_mode: 0, fps: 30, frames: [[0, 0, 1, 0.1, 0, 0, 0.5]] })],
  [
    'phuma.npy',
    objectNpy({
      root_trans: floats([2, 3], () => 0),
      root_ori: floats([2, 4], () => 1),
      dof_pos: floats([2, 1], () => 0),
      fps: 30,
    }),
  ],
  [
    'proto.motion',
    torchFile({
      state_conversion: new PythonCall('protomotions.state', 'StateConversion', 'common'),
      fps: 30,
      dof_pos: new Tensor([2, 1], new Float32Array(2)),
      rigid_body_pos: new Tensor([2, 1, 3], new Float32Array(6)),
      rigid_body_rot: new Tensor([2, 1, 4], new Float32Array(8).fill(0.5)),
    }),
  ],
];

/** Reads a file in every way that the service uses. @returns the refusal, or null. Other errors fail the test. */
async function refusal(name: string, bytes: Uint8Array): Promise<string | null> {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  const type = clipFileTypeOf(name)!;
  try {
    const facts = await type.facts(file);
    if (isBundle(facts))
      for (const { clip } of await type.parts!(file)) expect(clip.rows.length % clip.columns).toBe(0);
    else expect((await type.read(file)).columns).toBe(facts.columns);
    return null;
  } catch (error) {
    if (error instanceof StudioError && error.code === 'bad_input') return error.message;
    throw error;
  }
}

describe.each(WHOLE)('%s', (name, whole) => {
  test('a clip file is read if complete, and refused if truncated anywhere', async () => {
    expect(await refusal(name, whole)).toBeNull();
    for (let length = 0; length < whole.length; length += 1 + (whole.length >> 8))
      expect(await refusal(name, whole.subarray(0, length)), `cut at ${length}`).not.toBeNull();
  });

  test('a clip file with changed bytes is read or refused as bad input', async () => {
    const edit = fc.record({ at: fc.nat(whole.length - 1), byte: fc.nat(255) });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 5 }), async (edits) => {
        const bytes = Uint8Array.from(whole);
        for (const { at, byte } of edits) bytes[at] = byte;
        await refusal(name, bytes);
      }),
      { numRuns: 200 },
    );
  });

  test('a file of random bytes, with or without the right start, is refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.nat(16), async (noise, kept) => {
        const bytes = Buffer.concat([whole.subarray(0, kept), noise]);
        expect(await refusal(name, bytes)).not.toBeNull();
      }),
      { numRuns: 200 },
    );
  });
});

test('a compressed pickle with changed bytes inside is read or refused as bad input', async () => {
  const edit = fc.record({ at: fc.nat(plain.length - 1), byte: fc.nat(255) });
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 5 }), async (edits) => {
      const bytes = Uint8Array.from(plain);
      for (const { at, byte } of edits) bytes[at] = byte;
      await refusal('inside.pkl', deflateSync(bytes));
    }),
    { numRuns: 300 },
  );
});
