import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatYaml, readYaml, YamlText } from '../../src/core/yaml-file.ts';
import { strictBody } from '../../src/protocol/route.ts';

const Settings = strictBody({
  stream: Type.Optional(strictBody({ fps: Type.Optional(Type.Number({ exclusiveMinimum: 0 })) })),
  trainers: Type.Optional(Type.Record(Type.String(), strictBody({ command: Type.Array(Type.String()) }))),
});
const errorOf = (text: string) => {
  try {
    new YamlText(text, 'studio.yaml').check(Settings);
  } catch (error) {
    return (error as Error).message;
  }
  return 'passed';
};

describe('an invalid file is refused with its line', () => {
  test.each([
    ['# c\n\nstream:\n  fps: -1\n', 'studio.yaml:4: stream.fps: must be a number > 0'],
    ['stream: {fps: 60}\nstraem: 1', 'studio.yaml:2: straem: is not a known field; did you mean "stream"?'],
    ['stream:\n  # why\n  fsp: 60', 'studio.yaml:3: stream.fsp: is not a known field; did you mean "fps"?'],
    ['trainers:\n  a:\n    command:\n      - x\n      - 3', 'studio.yaml:5: trainers.a.command[1]: must be a text'],
    ['\ntrainers:\n  a: {}', 'studio.yaml:3: trainers.a.command: is missing'],
    ['- 1', 'studio.yaml:1: must be an object'],
    ['stream: [', 'studio.yaml:1: Flow sequence in block collection'],
    ['a: 1\na: 2', 'studio.yaml:2: Map keys must be unique'],
    ['a: 1\n---\nb: 2', 'studio.yaml:2: Source contains multiple documents'],
    ['stream: *x', 'studio.yaml: Unresolved alias'],
  ])('an invalid YAML file is refused with its line: %j', (text, message) => {
    expect(errorOf(text)).toContain(message);
  });
});

test('an empty file is an empty object, as is one of comments only', () => {
  for (const text of ['', '# nothing\n', '---\n']) expect(new YamlText(text, 'a.yaml').check(Settings)).toEqual({});
});

describe('nesting that would overflow the parser is refused before it', () => {
  test.each([
    ['['.repeat(20_000), 1],
    [`a: 1\nb: ${'{a: '.repeat(5_000)}`, 2],
    [Array.from({ length: 1000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'), 202],
    [`${'- '.repeat(1000)}x`, 1],
    [`x:\n${'? '.repeat(1000)}x`, 2],
  ])('nesting that would overflow the parser is refused before parsing, case %#', (text, line) => {
    expect(errorOf(text)).toBe(`studio.yaml:${line}: is nested too deeply`);
  });
  test('closed brackets do not count as nesting', () => {
    expect(new YamlText(`[${'[1, 2],\n'.repeat(500)}]`, 'a').value).toHaveLength(500);
  });
});

test('an alias bomb ends as an error', () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i < 12; i++)
    lines.push(
      `a${i}: &a${i} [${Array(10)
        .fill(`*a${i - 1}`)
        .join(', ')}]`,
    );
  expect(errorOf(lines.join('\n'))).toContain('Excessive alias count');
});

test('keys of the prototype are plain keys', () => {
  const value = new YamlText('__proto__: {polluted: 1}', 'a').value as object;
  expect(Object.keys(value)).toEqual(['__proto__']);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

describe('files', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'yaml-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  test('YAML files are read back as they were written', async () => {
    const file = path.join(folder, 'a.yaml');
    const value = { name: 'no', list: [1, -0.5, 1e-7], deep: { on: true, none: null } };
    writeFileSync(file, formatYaml(value));
    expect((await readYaml(file, 'a.yaml')).value).toEqual(value);
  });
  test('a YAML file over a MiB, or with bytes that are not text, is refused', async () => {
    writeFileSync(path.join(folder, 'big.yaml'), ' '.repeat((1 << 20) + 1));
    await expect(readYaml(path.join(folder, 'big.yaml'), 'big.yaml')).rejects.toMatchObject({ code: 'too_large' });
    writeFileSync(path.join(folder, 'bytes.yaml'), Buffer.from([0x61, 0xff]));
    await expect(readYaml(path.join(folder, 'bytes.yaml'), 'bytes.yaml')).rejects.toThrow('bytes.yaml: is not UTF-8');
  });
});

describe('a file that is too large or not regular is refused before it is read', () => {
  let folder: string;
  const at = (name: string) => path.join(folder, name);
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'yaml-files-'));
    execFileSync('mkfifo', [at('pipe')]);
    symlinkSync('/dev/zero', at('device'));
    writeFileSync(at('huge'), '');
    truncateSync(at('huge'), 2 ** 40);
    writeFileSync(at('text'), 'a: 1');
    symlinkSync(at('text'), at('link'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    ['pipe', 'dataset.yaml: is a pipe'],
    ['device', 'dataset.yaml: is a device'],
    ['huge', 'dataset.yaml: is larger than 1 MiB'],
  ])('%s is refused before it is read', async (name, message) => {
    await expect(readYaml(at(name), 'dataset.yaml')).rejects.toThrow(message);
  });

  test('a link to a text file is followed', async () => {
    expect((await readYaml(at('link'), 'dataset.yaml')).value).toEqual({ a: 1 });
  });
});
