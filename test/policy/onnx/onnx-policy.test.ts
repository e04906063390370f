import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as ort from 'onnxruntime-web';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OnnxModel, OnnxNode } from '../../../src/formats/onnx/onnx-model.ts';
import { writeOnnx } from '../../../src/formats/onnx/write-onnx.ts';
import { createPolicy } from '../../../src/policy/create-policy.ts';
import { exportPolicy, policyModel } from '../../../src/policy/onnx/export-policy.ts';
import { readExportedPolicy } from '../../../src/policy/onnx/exported-policy.ts';
import { hasKit, KIT } from '../../support/kit.ts';
import { evaluatePlainly, someWeights } from '../../support/networks.ts';
import { randomFrom } from '../../support/random.ts';

ort.env.wasm.numThreads = 1;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'onnx-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const save = (content: Uint8Array) => {
  const file = path.join(folder, 'policy.onnx');
  writeFileSync(file, content);
  return file;
};
const observations = (rows: number, width: number, seed = 3) => {
  const random = randomFrom(seed);
  return Float32Array.from({ length: rows * width }, () => 4 * random() - 2);
};

/** Evaluates the model with ONNX Runtime. The results are the reference. */
async function runOrt(content: Uint8Array, x: Float32Array, rows: number): Promise<Float32Array> {
  const session = await ort.InferenceSession.create(content, { executionProviders: ['wasm'] });
  const { actions } = await session.run({ obs: new ort.Tensor('float32', x, [rows, x.length / rows]) });
  await session.release();
  return actions!.data as Float32Array;
}

describe('an exported ONNX model', () => {
  test.each(['elu', 'relu', 'tanh', 'silu'] as const)(
    '%s: an exported ONNX model gives the same actions in onnxruntime',
    async (activation) => {
      const weights = { ...someWeights([19, 40, 33, 6], 8), activation };
      const content = exportPolicy(weights, new Map());
      const x = observations(5, 19);
      const wanted = await runOrt(content, x, 5);
      const out = new Float32Array(30);
      createPolicy(weights, 5).evaluate(x, out, 5);
      for (const [i, value] of wanted.entries()) expect(Math.abs(out[i]! - value)).toBeLessThan(1e-5);
    },
  );

  test('an exported ONNX model is read back bit for bit, with its metadata', () => {
    const weights = someWeights([7, 9, 3], 2);
    const { weights: back, metadata } = readExportedPolicy(
      save(
        exportPolicy(
          weights,
          new Map([
            ['joint_names', 'a, b,c'],
            ['action_scale', '0.5,0.25,1'],
          ]),
        ),
      ),
    );
    expect(back.layers).toEqual(weights.layers);
    expect(back.normalizer!.mean).toEqual(weights.normalizer!.mean);
    expect(back.normalizer!.std).toEqual(weights.normalizer!.std.map((value) => value + 0.01));
    expect(metadata).toMatchObject({ jointNames: ['a', 'b', 'c'], actionScale: [0.5, 0.25, 1], stiffness: null });
  });
});

describe('the same network is read when written with', () => {
  const weights = someWeights([4, 6, 2], 5);
  const x = observations(1, 4);
  const same = (model: OnnxModel) => {
    const { weights: read } = readExportedPolicy(save(writeOnnx(model)));
    const wanted = evaluatePlainly(weights, x);
    for (const [i, value] of evaluatePlainly(read, x).entries()) expect(value).toBeCloseTo(wanted[i]!, 5);
  };
  const change = (
    edit: (
      nodes: OnnxNode[],
      initializers: Map<string, OnnxModel['initializers'] extends ReadonlyMap<string, infer T> ? T : never>,
    ) => void,
  ) => {
    const model = policyModel(weights, new Map());
    const nodes = [...model.nodes];
    const initializers = new Map(model.initializers);
    edit(nodes, initializers);
    return { ...model, nodes, initializers };
  };
  const transposed = ({ inputs, outputs, weight }: (typeof weights.layers)[number]) =>
    Float32Array.from(
      { length: inputs * outputs },
      (_, k) => weight[(k % outputs) * inputs + Math.floor(k / outputs)]!,
    );

  test('a network with MatMul and Add instead of Gemm is read', () => {
    same(
      change((nodes, initializers) => {
        const layer = weights.layers[0]!;
        initializers.set('actor.0.weight', { shape: [layer.inputs, layer.outputs], data: transposed(layer) });
        const at = nodes.findIndex(({ op }) => op === 'Gemm');
        const { inputs, outputs } = nodes[at]!;
        nodes.splice(
          at,
          1,
          { name: '', op: 'MatMul', inputs: inputs.slice(0, 2), outputs: ['product'], attributes: new Map() },
          { name: '', op: 'Add', inputs: [inputs[2]!, 'product'], outputs, attributes: new Map() },
        );
      }),
    );
  });

  test('a network with a transposed weight in the graph is read', () => {
    same(
      change((nodes, initializers) => {
        const layer = weights.layers[0]!;
        initializers.set('turned', { shape: [layer.inputs, layer.outputs], data: transposed(layer) });
        initializers.delete('actor.0.weight');
        nodes.unshift({
          name: '',
          op: 'Transpose',
          inputs: ['turned'],
          outputs: ['actor.0.weight'],
          attributes: new Map([['perm', { ints: [1, 0] }]]),
        });
      }),
    );
  });

  test('a network with ε added in the graph, and a factor instead of a quotient, is read', () => {
    same(
      change((nodes, initializers) => {
        initializers.set('std', { shape: [1, 4], data: weights.normalizer!.std });
        initializers.set('eps', { shape: [], data: Float32Array.of(0.01) });
        nodes.unshift({
          name: '',
          op: 'Add',
          inputs: ['std', 'eps'],
          outputs: ['normalizer.std'],
          attributes: new Map(),
        });
        initializers.delete('normalizer.std');
      }),
    );
    same(
      change((nodes, initializers) => {
        initializers.set('normalizer.std', {
          shape: [4],
          data: weights.normalizer!.std.map((value) => 1 / (value + 0.01)),
        });
        const at = nodes.findIndex(({ op }) => op === 'Div');
        nodes[at] = { ...nodes[at]!, op: 'Mul' };
      }),
    );
  });

  test.each([
    ['Softmax', /has Softmax/],
    ['LSTM', /has LSTM/],
  ])('%s is refused by name', (op, message) => {
    const model = change((nodes) => {
      const at = nodes.findIndex((node) => node.op === 'Elu');
      nodes[at] = { ...nodes[at]!, op, name: '', attributes: new Map() };
    });
    expect(() => readExportedPolicy(save(writeOnnx(model)))).toThrow(message);
  });
});

describe('damage is refused with the file’s name', () => {
  const content = exportPolicy(someWeights([4, 6, 2], 5), new Map());

  test('an ONNX file truncated anywhere gives bad_input', () => {
    for (let length = 0; length < content.length; length += 7)
      expect(() => readExportedPolicy(save(content.subarray(0, length)))).toThrow(/^policy\.onnx: |not an ONNX/);
  });

  test('random byte changes give a policy or bad_input', () => {
    const random = randomFrom(11);
    for (let round = 0; round < 300; round += 1) {
      const bytes = content.slice();
      for (let k = 0; k < 3; k += 1) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      try {
        readExportedPolicy(save(bytes));
      } catch (error) {
        expect(error).toMatchObject({ code: 'bad_input' });
      }
    }
  });

  test("external weights must be in the file's folder", () => {
    const model = readFileSync(save(content));
    const outside = path.join(path.dirname(folder), `${path.basename(folder)}.data`);
    writeFileSync(outside, model);
    for (const location of ['../x.data', '/etc/passwd', 'a/b', outside]) {
      expect(() => readExportedPolicy(save(withExternal(location)))).toThrow(/must be in a file in the same folder/);
    }
    expect(() => readExportedPolicy(save(withExternal('gone.data')))).toThrow(/"gone\.data", which is missing/);
    rmSync(outside);
  });
});

/** Returns a model whose only tensor is stored in another file. */
function withExternal(location: string): Uint8Array {
  const field = (number: number, bytes: Uint8Array) =>
    Buffer.concat([Buffer.from([8 * number + 2, bytes.length]), bytes]);
  const pair = Buffer.concat([field(1, Buffer.from('location')), field(2, Buffer.from(location))]);
  const tensor = Buffer.concat([
    Buffer.from([8, 1, 16, 1]),
    field(8, Buffer.from('w')),
    field(13, pair),
    Buffer.from([112, 1]),
  ]);
  return field(7, field(5, tensor));
}

describe.skipIf(!hasKit)('the kit’s policy', () => {
  test("the kit's policy gives the same actions as onnxruntime on 20 random observations", async () => {
    const from = `${KIT}/policies/dance1_subject2`;
    const { weights } = readExportedPolicy(`${from}/policy.onnx`);
    const session = await ort.InferenceSession.create(readFileSync(`${from}/policy.onnx`), {
      executionProviders: ['wasm'],
      externalData: [{ path: 'policy.onnx.data', data: readFileSync(`${from}/policy.onnx.data`) }],
    });
    const policy = createPolicy(weights, 20);
    const x = observations(20, 154);
    const out = new Float32Array(20 * 29);
    policy.evaluate(x, out, 20);
    let worst = 0;
    for (let row = 0; row < 20; row += 1) {
      const obs = new ort.Tensor('float32', x.slice(154 * row, 154 * (row + 1)), [1, 154]);
      const { actions } = await session.run({ obs });
      for (const [i, value] of (actions!.data as Float32Array).entries())
        worst = Math.max(worst, Math.abs(value - out[29 * row + i]!));
    }
    await session.release();
    expect(worst).toBeLessThan(1e-5);
  });
});
