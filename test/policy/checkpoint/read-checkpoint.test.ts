import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dict, ordered, pyFloat, type TorchValue, tensor, writeTorch } from '../../../src/formats/torch/write-torch.ts';
import { writeZip } from '../../../src/formats/zip-write.ts';
import { checkpointPolicy } from '../../../src/policy/checkpoint/checkpoint-policy.ts';
import { readCheckpoint } from '../../../src/policy/checkpoint/read-checkpoint.ts';
import { createPolicy } from '../../../src/policy/create-policy.ts';
import type { PolicyWeights } from '../../../src/policy/policy.ts';
import { sharingCheckpoint } from '../../support/hostile-models.ts';
import { someWeights } from '../../support/networks.ts';
import { runPython } from '../../support/python.ts';
import { TORCH } from '../../support/torch.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'checkpoint-'));
  file = path.join(folder, 'model_3.pt');
});
afterEach(() => rmSync(folder, { recursive: true }));

const SIZES = [5, 16, 7, 3];
const weights = someWeights(SIZES);

type Entries = [string, TorchValue][];
const layerEntries = ({ layers }: PolicyWeights, prefix: string): Entries =>
  layers.flatMap(
    ({ inputs, outputs, weight, bias }, index): Entries => [
      [`${prefix}${2 * index}.weight`, tensor(weight, [outputs, inputs])],
      [`${prefix}${2 * index}.bias`, tensor(bias, [outputs])],
    ],
  );
const statistics = ({ normalizer }: PolicyWeights, prefix: string): Entries => [
  [`${prefix}_mean`, tensor(normalizer!.mean, [1, 5])],
  [`${prefix}_std`, tensor(normalizer!.std, [1, 5])],
  [`${prefix}count`, tensor(BigInt64Array.of(10n))],
];
const actorDict = (changed: Entries = []): TorchValue =>
  ordered([...new Map([...statistics(weights, 'obs_normalizer.'), ...layerEntries(weights, 'mlp.'), ...changed])]);
const save = (entries: Entries) => writeFileSync(file, writeTorch(dict(entries)));
const rejection = async () =>
  readCheckpoint(file).then(
    () => 'it was read',
    (error: Error) => error.message,
  );

describe('layouts', () => {
  const same = async () => {
    const policy = checkpointPolicy(await readCheckpoint(file), 'elu');
    expect(policy.normalizer).toEqual({ ...weights.normalizer, epsilon: 0.01 });
    expect(policy.layers).toEqual(weights.layers);
  };

  test('rsl_rl 5 has a state dict for each network', async () => {
    save([
      ['actor_state_dict', actorDict([['distribution.std_param', tensor(Float32Array.of(0.5, 1, 2), [3])]])],
      ['critic_state_dict', ordered(layerEntries(someWeights([4, 3, 1], 9), 'mlp.'))],
      ['iter', 3],
      ['infos', null],
    ]);
    await same();
    const checkpoint = await readCheckpoint(file);
    expect(checkpoint).toMatchObject({ iteration: 3, std: Float32Array.of(0.5, 1, 2) });
    expect(checkpoint.actor.normalizer?.count).toBe(10);
    expect(checkpoint.critic?.layers.map(({ outputs }) => outputs)).toEqual([3, 1]);
  });

  test('rsl_rl 4 calls the standard deviation std and its logarithm log_std', async () => {
    save([['actor_state_dict', actorDict([['log_std', tensor(Float32Array.of(0, Math.log(2), 1), [3])]])]]);
    await same();
    expect((await readCheckpoint(file)).std?.[1]).toBeCloseTo(2, 6);
  });

  test('older checkpoints have one state dict for both networks, with prefixes', async () => {
    save([
      [
        'model_state_dict',
        ordered([
          ['std', tensor(Float32Array.of(1, 1, 1), [3])],
          ...layerEntries(weights, 'actor.'),
          ...layerEntries(someWeights([4, 2, 1], 5), 'critic.'),
          ...statistics(weights, 'actor_obs_normalizer.'),
        ]),
      ],
      ['iter', 500],
    ]);
    await same();
    expect((await readCheckpoint(file)).critic?.layers).toHaveLength(2);
  });
});

describe('networks of other kinds', () => {
  const convolution = tensor(new Float32Array(16), [2, 2, 4]);

  test.each([
    ['convolutions', [['mlp.0.weight', convolution]]],
    ['a memory', [...layerEntries(someWeights([4, 3, 1], 9), 'mlp.'), ['rnn.rnn.weight_ih_l0', convolution]]],
    ['other names', layerEntries(someWeights([4, 3, 1], 9), 'trunk.')],
  ] as [string, Entries][])('a critic of %s is ignored, because a policy plays without it', async (_, entries) => {
    save([
      ['actor_state_dict', actorDict()],
      ['critic_state_dict', ordered(entries)],
    ]);
    expect(await readCheckpoint(file)).toMatchObject({ critic: null, actor: { layers: weights.layers } });
  });

  test('a recurrent actor is refused, whatever its layers', async () => {
    save([['actor_state_dict', actorDict([['rnn.rnn.weight_ih_l0', convolution]])]]);
    expect(await rejection()).toMatch(/^model_3\.pt: actor_state_dict: belongs to a recurrent network/);
  });
});

describe('damage is refused with the names of file and field', () => {
  const minimal = (changed: Entries = []): Entries => [['actor_state_dict', actorDict(changed)]];

  test('a NaN weight is refused with the names of file and field', async () => {
    const weight = weights.layers[1]!.weight.slice();
    weight[4] = Number.NaN;
    save(minimal([['mlp.2.weight', tensor(weight, [7, 16])]]));
    expect(await rejection()).toBe(
      'model_3.pt: actor_state_dict.mlp.2.weight: value 4 is NaN; every weight must be a finite number',
    );
  });

  test('a layer whose inputs differ from the outputs before it is refused', async () => {
    save(minimal([['mlp.2.weight', tensor(new Float32Array(7 * 15), [7, 15])]]));
    expect(await rejection()).toBe(
      'model_3.pt: actor_state_dict.mlp.2.weight: has 15 inputs, but the layer before it has 16 outputs',
    );
  });

  test('a bias of the wrong length, a missing bias and a normaliser of the wrong width are refused', async () => {
    save(minimal([['mlp.0.bias', tensor(new Float32Array(4), [4])]]));
    expect(await rejection()).toMatch(/actor_state_dict\.mlp\.0\.bias: has 4 numbers, the weight has 16 rows/);
    save([['actor_state_dict', ordered(layerEntries(weights, 'mlp.').filter(([key]) => key !== 'mlp.4.bias'))]]);
    expect(await rejection()).toMatch(/actor_state_dict\.mlp\.4\.bias: is missing/);
    save(minimal([['obs_normalizer._mean', tensor(new Float32Array(6), [1, 6])]]));
    expect(await rejection()).toMatch(/obs_normalizer\._std: has 5 numbers, obs_normalizer\._mean has 6/);
  });

  test('a convolution, a checkpoint of another program and another file are refused', async () => {
    save(minimal([['mlp.0.weight', tensor(new Float32Array(16), [2, 2, 4])]]));
    expect(await rejection()).toMatch(/mlp\.0\.weight: has 3 dimensions; only fully connected networks/);
    save([['weights', pyFloat(1)]]);
    expect(await rejection()).toMatch(/neither actor_state_dict nor model_state_dict/);
    writeFileSync(file, 'model');
    expect(await rejection()).toMatch(/^model_3\.pt: not a checkpoint/);
  });

  test('a checkpoint truncated anywhere is refused', async () => {
    save(minimal());
    const whole = readFileSync(file);
    for (const share of [0.1, 0.5, 0.9, 0.999]) {
      writeFileSync(file, whole.subarray(0, Math.floor(share * whole.length)));
      expect(await rejection()).toMatch(/^model_3\.pt: /);
    }
  });

  test('a changed byte of the weights is refused by its checksum', async () => {
    save(minimal());
    const bytes = readFileSync(file);
    const at = bytes.indexOf(Buffer.from(weights.layers[0]!.weight.buffer, 0, 32));
    bytes[at + 3]! ^= 1;
    writeFileSync(file, bytes);
    expect(await rejection()).toMatch(/checksum/);
  });
});

describe('a pickle with code is refused by name and never run', () => {
  const marker = () => path.join(folder, 'ran');
  const hostile = (module: string, name: string, argument: string) => {
    const text = (value: string) => Buffer.concat([Buffer.from('X'), lengthOf(value), Buffer.from(value)]);
    const pickle = Buffer.concat([
      Buffer.from([0x80, 2]),
      Buffer.from(`c${module}\n${name}\n`),
      Buffer.from('('),
      text(argument),
      Buffer.from('tR.'),
    ]);
    writeFileSync(file, writeZip(new Map([['archive/data.pkl', pickle]])));
  };
  const lengthOf = (value: string) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(Buffer.byteLength(value));
    return bytes;
  };

  test.each([
    ['posix', 'system'],
    ['builtins', 'eval'],
    ['builtins', 'getattr'],
    ['torch.hub', 'load'],
    ['torch', 'load'],
    ['torch._utils', '_rebuild_tensor'],
    ['subprocess', 'Popen'],
    ['collections', 'OrderedDict.fromkeys'],
  ])('a pickle with code is refused by name and never run: %s.%s', async (module, name) => {
    hostile(module, name, `touch ${marker()}`);
    expect(await rejection()).toContain(`model_3.pt: the pickle refers to ${module}.${name}, which is not allowed`);
    expect(() => readFileSync(marker())).toThrow(/ENOENT/);
  });
});

describe.skipIf(TORCH === null)('exchange with torch', () => {
  const script = `
import sys, torch
from collections import OrderedDict
torch.manual_seed(3)
net = torch.nn.Sequential(torch.nn.Linear(5, 16), torch.nn.ELU(), torch.nn.Linear(16, 7), torch.nn.ELU(), torch.nn.Linear(7, 3))
x = torch.randn(4, 5)
mean, std = torch.randn(1, 5), torch.rand(1, 5) + 0.1
sd = OrderedDict((('mlp.' + k, v) for k, v in net.state_dict().items()))
sd['obs_normalizer._mean'], sd['obs_normalizer._std'] = mean, std
sd['obs_normalizer._var'], sd['obs_normalizer.count'] = std ** 2, torch.tensor(17)
sd['distribution.std_param'] = torch.nn.Parameter(torch.ones(3))
sd['mlp.0.weight'] = net[0].weight.detach().t().contiguous().t()
if sys.argv[2] == 'old':
  old = OrderedDict()
  for k, v in sd.items():
    old[k.replace('mlp.', 'actor.').replace('obs_normalizer.', 'actor_obs_normalizer.').replace('distribution.std_param', 'std')] = v
  saved = {'model_state_dict': old}
else:
  saved = {'actor_state_dict': sd, 'critic_state_dict': torch.nn.Linear(5, 1).state_dict(prefix='mlp.0.')}
opt = torch.optim.Adam(net.parameters())
net(x).sum().backward(); opt.step()
saved.update({'optimizer_state_dict': opt.state_dict(), 'iter': 250, 'infos': {'env_state': {'common_step_counter': 6000}}})
with torch.no_grad():
  net.load_state_dict({k[4:]: v for k, v in sd.items() if k.startswith('mlp.')})
  y = net((x - mean) / (std + 0.01))
torch.save(saved, sys.argv[1])
print(' '.join(repr(float(v)) for v in x.flatten()))
print(' '.join(repr(float(v)) for v in y.flatten()))
`;
  test.each(['new', 'old'])(
    'a checkpoint that torch saved gives the same outputs as in torch (%s layout)',
    async (layout) => {
      const [x, y] = runPython(TORCH!, script, file, layout)
        .split('\n')
        .map((line) => line.split(' ').map(Number)) as [number[], number[]];
      const checkpoint = await readCheckpoint(file);
      expect(checkpoint.iteration).toBe(250);
      const policy = createPolicy(checkpointPolicy(checkpoint, 'elu'), 4);
      const out = new Float32Array(12);
      policy.evaluate(Float32Array.from(x), out, 4);
      for (const [i, value] of y.entries()) expect(out[i]).toBeCloseTo(value, 5);
    },
  );
});

describe('a small file that claims a large network', () => {
  const refusal = async (content: Uint8Array) => {
    writeFileSync(file, content);
    const before = process.memoryUsage().arrayBuffers;
    const error = await readCheckpoint(file).then(
      () => null,
      (cause: Error) => cause.message,
    );
    expect((process.memoryUsage().arrayBuffers - before) / 2 ** 20).toBeLessThan(140);
    return error;
  };

  test('tensors of stride 0 that exceed their storage are refused', async () => {
    const content = sharingCheckpoint(2, 4096, [0, 0]);
    expect(content.length).toBeLessThan(10_000);
    expect(await refusal(content)).toMatch(
      /^model_3\.pt: actor_state_dict\.mlp\.0\.weight: .* in a storage of 1: it is damaged/,
    );
  });

  test('layers that share numbers are counted separately for the size limit', async () => {
    // 8 layers that share 2048 × 2048 zeros: 16 MiB, compressed to 16 kB.
    const content = sharingCheckpoint(8, 2048, [2048, 1], 2048 * 2048);
    expect(content.length).toBeLessThan(40_000);
    expect(await refusal(content)).toMatch(/contains tensors of more than 64 MiB in total/);
  });

  test('a network over the size limit is refused by its shapes', async () => {
    expect(await refusal(sharingCheckpoint(1, 9000, [1, 1], 20_000))).toMatch(/9000 inputs and 9000 outputs exceed/);
    expect(await refusal(sharingCheckpoint(12, 2048, [1, 1], 4096))).toMatch(/more than 33554432 weights/);
  });
});
