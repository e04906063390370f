import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readOnnxFile } from '../../../src/formats/onnx/read-onnx-file.ts';
import { readExportedPolicy } from '../../../src/policy/onnx/exported-policy.ts';
import { onnxPolicy } from '../../../src/policy/onnx/onnx-policy.ts';
import { cyclicOnnx, foldingOnnx, overlappingOnnx } from '../../support/hostile-models.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'onnx-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** @param dataBytes size of the sparse file beside the model; undefined: no such file */
const save = (content: Uint8Array, dataBytes?: number) => {
  const file = path.join(folder, 'policy.onnx');
  writeFileSync(file, content);
  if (dataBytes !== undefined) {
    const data = openSync(path.join(folder, 'policy.onnx.data'), 'w');
    ftruncateSync(data, dataBytes);
    closeSync(data);
  }
  return file;
};
const arrayBuffers = () => process.memoryUsage().arrayBuffers / 2 ** 20;

test('a cyclic graph is refused without a hang', () => {
  const file = save(cyclicOnnx());
  expect(() => readExportedPolicy(file)).toThrow(/policy\.onnx: .*its graph is cyclic/);
});

test('constants that share bytes of an external file are refused', () => {
  const file = save(overlappingOnnx(16), 64 << 20);
  const before = arrayBuffers();
  expect(() => readOnnxFile(file)).toThrow(/the tensors in "policy\.onnx\.data" overlap/);
  expect(arrayBuffers() - before).toBeLessThan(1);
});

test('constants are read only when used', () => {
  const file = save(overlappingOnnx(3), 192 << 20);
  const before = arrayBuffers();
  const model = readOnnxFile(file);
  expect(model.initializers.get('w2')!.shape).toEqual([4096, 4096]);
  expect(arrayBuffers() - before).toBeLessThan(1);
  expect(onnxPolicy(model).layers[0]).toMatchObject({ inputs: 4096, outputs: 4096 });
});

test('the total size of external and of computed constants is limited', () => {
  expect(() => readOnnxFile(save(overlappingOnnx(5), 256 << 20))).toThrow(/overlap|more than 256 MiB/);
  expect(() => readOnnxFile(save(overlappingOnnx(1), 2 ** 30))).toThrow(
    /not a usable policy file: 1073741824 bytes, limit/,
  );
  expect(() => onnxPolicy(readOnnxFile(save(foldingOnnx(40))))).toThrow(/in more than 32 steps/);
});
