import type { OnnxNode } from '../../src/formats/onnx/onnx-model.ts';
import { writeOnnx } from '../../src/formats/onnx/write-onnx.ts';
import { MessageWriter } from '../../src/formats/protobuf/write-message.ts';
import { rawZip } from './hostile-files.ts';

const onnxNode = (op: string, inputs: readonly string[], output: string): OnnxNode => ({
  name: '',
  op,
  inputs,
  outputs: [output],
  attributes: new Map(),
});

/** A policy with a cycle: its actions depend on themselves through identity operators. */
export function cyclicOnnx(joints: readonly string[] = []): Uint8Array {
  return writeOnnx({
    nodes: [onnxNode('Identity', ['b'], 'a'), onnxNode('Identity', ['a'], 'b')],
    initializers: new Map(),
    inputs: [{ name: 'obs', shape: ['batch', 4] }],
    outputs: [{ name: 'a', shape: ['batch', 2] }],
    metadata: new Map([['joint_names', joints.join(',')]]),
  });
}

/** A policy whose constants all refer to the same bytes of the external file `policy.onnx.data`, which may be sparse.
 *  @param tensors number of constants @param joints names in the metadata @param rows of a constant of 16 Mi numbers */
export function overlappingOnnx(tensors: number, joints: readonly string[] = [], rows = 4096): Uint8Array {
  const columns = (1 << 24) / rows;
  const graph = new MessageWriter().bytes(2, 'policy');
  for (let k = 0; k < tensors; k += 1) {
    const pair = (key: string, value: string) => new MessageWriter().bytes(1, key).bytes(2, value);
    graph.bytes(
      5,
      new MessageWriter()
        .int(1, rows)
        .int(1, columns)
        .int(2, 1)
        .bytes(8, `w${k}`)
        .bytes(13, pair('location', 'policy.onnx.data'))
        .int(14, 1),
    );
  }
  const value = (name: string, width: number) =>
    new MessageWriter()
      .bytes(1, name)
      .bytes(
        2,
        new MessageWriter().bytes(
          1,
          new MessageWriter().int(1, 1).bytes(2, new MessageWriter().bytes(1, new MessageWriter().int(1, width))),
        ),
      );
  graph.bytes(11, value('obs', rows)).bytes(12, value('actions', columns));
  graph.bytes(1, new MessageWriter().bytes(1, 'obs').bytes(1, 'w0').bytes(2, 'actions').bytes(4, 'MatMul'));
  const names = new MessageWriter().bytes(1, 'joint_names').bytes(2, joints.join(','));
  return new MessageWriter().int(1, 8).bytes(7, graph).bytes(14, names).done();
}

/** A policy that expands a small constant in `steps` nodes; each result has the largest size of a layer. */
export function foldingOnnx(steps: number): Uint8Array {
  const nodes = Array.from({ length: steps }, (_, k) => onnxNode('Sqrt', [`w${k}`], `w${k + 1}`));
  return writeOnnx({
    nodes: [...nodes, onnxNode('MatMul', ['obs', `w${steps}`], 'actions')],
    initializers: new Map([['w0', { shape: [512, 512], data: new Float32Array(512 * 512) }]]),
    inputs: [{ name: 'obs', shape: ['batch', 512] }],
    outputs: [{ name: 'actions', shape: ['batch', 512] }],
    metadata: new Map(),
  });
}

/** A checkpoint whose layers all share one storage. @param layers number of layers with `width` × `width` weights each
 *  @param strides of the weights; [0, 0] makes every weight the first number of the storage
 *  @param stored length of the storage, all zeros */
export function sharingCheckpoint(
  layers: number,
  width: number,
  strides: readonly [number, number],
  stored = 1,
): Uint8Array {
  const sizes = (values: readonly number[]) => `(${values.map((value) => `I${value}\n`).join('')}t`;
  const view = (shape: readonly number[], steps: readonly number[]) =>
    `ctorch._utils\n_rebuild_tensor_v2\n((U\x07storagectorch\nFloatStorage\nU\x010U\x03cpuI${stored}\ntQI0\n` +
    `${sizes(shape)}${sizes(steps)}I00\nccollections\nOrderedDict\n)RtR`;
  const entry = (key: string, value: string) => `U${String.fromCharCode(key.length)}${key}${value}`;
  const actor = Array.from(
    { length: layers },
    (_, k) =>
      entry(`mlp.${2 * k}.weight`, view([width, width], strides)) +
      entry(`mlp.${2 * k}.bias`, view([width], [strides[1]])),
  ).join('');
  const pickle = `\x80\x02}(${entry('actor_state_dict', `}(${actor}u`)}u.`;
  return rawZip([
    { name: 'archive/data.pkl', content: Buffer.from(pickle, 'latin1'), deflate: true },
    { name: 'archive/data/0', content: Buffer.alloc(4 * stored), deflate: true },
  ]);
}
