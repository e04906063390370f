import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StudioError } from '../../src/core/errors.ts';
import { readZip } from '../../src/formats/zip.ts';
import { writeZip } from '../../src/formats/zip-write.ts';
import { cpuMs } from '../support/cpu-time.ts';

const all = () => Number.POSITIVE_INFINITY;
const text = (content: string) => new TextEncoder().encode(content);

/** Turns the only entry of a stored zip file into a deflated one. @param claimed size in the headers */
function deflated(name: string, content: Uint8Array, claimed = content.length): Uint8Array {
  const stored = Buffer.from(writeZip(new Map([[name, content]])));
  const packed = deflateRawSync(content);
  const dataStart = 30 + Buffer.byteLength(name);
  const centralStart = dataStart + content.length;
  const out = Buffer.concat([stored.subarray(0, dataStart), packed, stored.subarray(centralStart)]);
  const central = dataStart + packed.length;
  for (const [method, size] of [
    [8, 18],
    [central + 10, central + 20],
  ] as const) {
    out.writeUInt16LE(8, method);
    out.writeUInt32LE(packed.length, size);
    out.writeUInt32LE(claimed, size + 4);
  }
  out.writeUInt32LE(central, out.length - 6);
  return out;
}

describe('reading', () => {
  test('stored entries read back equal', async () => {
    const files = new Map([
      ['a.npy', text('alpha')],
      ['empty', new Uint8Array(0)],
      ['größe', text('beta')],
    ]);
    const entries = await readZip(writeZip(files), all);
    expect(new Map([...entries].map(([name, { bytes }]) => [name, Uint8Array.from(bytes)]))).toEqual(files);
  });

  test('deflated entries are expanded', async () => {
    const content = text('clip '.repeat(10_000));
    expect((await readZip(deflated('a', content), all)).get('a')).toEqual({
      bytes: Buffer.from(content),
      size: 50_000,
    });
  });

  test('reading only the head of an entry gives its first bytes and full size, stored or deflated', async () => {
    const content = Uint8Array.from({ length: 300_000 }, (_, index) => (index * index) >> 3);
    for (const zip of [writeZip(new Map([['a', content]])), deflated('a', content)]) {
      const entry = (await readZip(zip, () => 1000)).get('a');
      expect(entry?.size).toBe(300_000);
      expect(Uint8Array.from(entry?.bytes ?? [])).toEqual(content.subarray(0, 1000));
    }
  });

  test('a head of zeros is expanded only as far as needed', async () => {
    const entry = (await readZip(deflated('a', new Uint8Array(16 << 20)), () => 1000)).get('a');
    expect(entry?.bytes).toHaveLength(1000);
    expect(entry?.bytes.buffer.byteLength).toBeLessThan(1 << 20);
  });

  test('entries that the caller skips are not read', async () => {
    const zip = writeZip(
      new Map([
        ['a', text('alpha')],
        ['b', text('beta')],
      ]),
    );
    zip[zip.indexOf(0x61, 31)]! ^= 1; // damages the content of entry a
    expect([...(await readZip(zip, (name) => (name === 'b' ? 99 : 0))).keys()]).toEqual(['b']);
  });
});

describe('refused input', () => {
  const refused = async (bytes: Uint8Array, message: string) => {
    const outcome = await readZip(bytes, all, { maxEntries: 3 }).catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(StudioError);
    expect((outcome as StudioError).message).toContain(message);
  };

  test('a zip file whose content does not match its checksum is refused', async () => {
    const zip = writeZip(new Map([['a', text('alpha')]]));
    zip[33]! ^= 1;
    await refused(zip, '"a" in the zip file is damaged: its checksum does not match');
  });

  test('files that are not zip files, and truncated ones, are refused', async () => {
    await refused(text('not a zip file, but long enough to hold a directory'), 'not a readable zip file');
    await refused(new Uint8Array(0), 'not a readable zip file');
    const zip = writeZip(new Map([['a', text('alpha')]]));
    await refused(zip.subarray(0, zip.length - 30), 'not a readable zip file');
  });

  test('too many entries and a repeated name are refused', async () => {
    await refused(writeZip(new Map(['a', 'b', 'c', 'd'].map((name) => [name, text(name)]))), 'more than 3 entries');
    const twice = Buffer.from(
      writeZip(
        new Map([
          ['a', text('x')],
          ['b', text('x')],
        ]),
      ),
    );
    for (let at = twice.indexOf('b'); at >= 0; at = twice.indexOf('b')) twice[at] = 0x61;
    await refused(twice, 'contains "a" twice');
  });

  test('names that lead out of the folder are refused', async () => {
    await refused(writeZip(new Map([['../a', text('x')]])), 'not a readable zip file');
  });

  test('a zip bomb is refused before it is expanded', async () => {
    const bomb = deflated('a', new Uint8Array(80 << 20));
    expect(bomb.length).toBeLessThan(100_000);
    expect(await cpuMs(() => refused(bomb, 'expands to more than 64 MiB'))).toBeLessThan(1000);
  });

  test('a wrong declared size is refused: smaller, larger or impossible for deflate', async () => {
    const content = text('clip '.repeat(1000));
    await refused(deflated('a', content, 100), 'not a readable zip file');
    await refused(deflated('a', content, 6000), 'is shorter than it claims');
    await refused(deflated('a', content, 30 << 20), 'claims a size to which its bytes cannot expand');
  });

  test('a directory offset beyond the file, which the library would throw from a callback, is refused', async () => {
    const zip = Buffer.from(writeZip(new Map([['a', text('alpha')]])));
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50, 0);
    locator.writeBigUInt64LE(2n ** 62n, 8);
    await refused(Buffer.concat([zip.subarray(0, -22), locator, zip.subarray(-22)]), 'the file ends early');
  });
});

test('damaged files are read or refused as bad input', async () => {
  const good = [
    writeZip(
      new Map([
        ['a', text('alpha')],
        ['b', text('beta '.repeat(20))],
      ]),
    ),
    deflated('a', text('clip '.repeat(50))),
  ];
  const edits = fc.array(fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.nat(255) }), {
    minLength: 1,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...good),
      edits,
      fc.double({ min: 0, max: 2, noNaN: true }),
      async (zip, changes, cut) => {
        const bytes = Uint8Array.from(zip.subarray(0, Math.ceil(zip.length * cut)));
        for (const { at, byte } of changes) if (bytes.length > 0) bytes[Math.floor(at * (bytes.length - 1))] = byte;
        for (const wanted of [Number.POSITIVE_INFINITY, 7]) {
          try {
            await readZip(bytes, () => wanted);
          } catch (error) {
            if (!(error instanceof StudioError)) throw error;
          }
        }
      },
    ),
    { numRuns: 1500 },
  );
});

test('equal content gives equal bytes', () => {
  const files = new Map([
    ['a', text('alpha')],
    ['b', text('beta')],
  ]);
  expect(writeZip(files)).toEqual(writeZip(new Map(files)));
});

test('content that needs zip64 is not written', () => {
  const many = new Map(Array.from({ length: 65_536 }, (_, index) => [`${index}`, new Uint8Array(0)]));
  expect(() => writeZip(many)).toThrow('requires zip64');
});
