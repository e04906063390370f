import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { StudioError } from '../../src/core/errors.ts';
import { csvFacts } from '../../src/formats/csv/csv-facts.ts';
import { formatClipCsv, parseClipCsv } from '../../src/formats/csv.ts';
import { hasKit, KIT } from '../support/kit.ts';
import { randomFrom } from '../support/random.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'csv-'));
afterAll(() => rmSync(folder, { recursive: true }));

const row = '0,0,0.8,0,0,0,1,0.5';
const encode = (text: string) => new TextEncoder().encode(text);
const parse = (text: string) => parseClipCsv(encode(text));
function refusal(text: string): string {
  try {
    parse(text);
  } catch (error) {
    expect(error).toBeInstanceOf(StudioError);
    expect((error as StudioError).code).toBe('bad_input');
    return (error as StudioError).message;
  }
  throw new Error('was accepted');
}
async function factsOf(text: string | Uint8Array) {
  const file = path.join(folder, 'clip.csv');
  writeFileSync(file, text);
  return csvFacts(file);
}

describe('reading', () => {
  test('comments above the rows, and the header, are skipped', async () => {
    const names = 'x,y,z,qx,qy,qz,qw,knee';
    for (const head of ['# made by an exporter, info: none\n', '# a\r\n\n  # fps: 60\n'])
      for (const header of ['', `${names}\n`, `# ${names}\n`]) {
        const text = `${head}${header}${row}\n${row.replace('0.8', 'nan')}\n`;
        const clip = parse(text);
        expect(clip).toMatchObject({ frames: 2, columns: 8, jointNames: header === '' ? null : ['knee'] });
        const line = text.slice(0, text.indexOf('nan')).split('\n').length;
        const { frames, jointNames } = clip;
        const namesRoot = header !== '';
        expect(await factsOf(text)).toEqual({
          frames,
          columns: 8,
          layout: null,
          namesRoot,
          jointNames,
          notFinite: line,
        });
      }
    expect(refusal('# only\n# remarks\n')).toContain('the file has no rows');
  });

  test('rows have the numbers of the file in order, parsed as Number does', () => {
    const text = '1,-2.5,+.5,1e-3,5.,-0.1234567890123456789,123456789012345678,1E2\n8,7,6,5,4,3,2,1\n';
    const clip = parse(text);
    expect(clip).toMatchObject({ frames: 2, columns: 8, fps: null, jointNames: null });
    expect([...clip.rows]).toEqual(text.trim().split(/[,\n]/).map(Number));
  });

  test.each([
    ['CRLF line ends', `${row}\r\n${row}\r\n`],
    ['no newline at the end', `${row}\n${row}`],
    ['blank lines at the end and between', `\n${row}\n\n  \r\n${row}\n\n\n`],
    ['a byte order mark', `\ufeff${row}\n${row}\n`],
    ['blanks around the numbers', `${row.replaceAll(',', ' ,\t')}  \n${row}\n`],
    ['a header line', `x,y,z,qx,qy,qz,qw,dof_0\n${row}\n${row}\n`],
    ['a comment as header', `# x,y,z,qx,qy,qz,qw,0\n${row}\n${row}\n`],
  ])('%s changes neither the rows nor the properties', async (_, text) => {
    const clip = parse(text);
    expect([...clip.rows]).toEqual([0, 0, 0.8, 0, 0, 0, 1, 0.5, 0, 0, 0.8, 0, 0, 0, 1, 0.5]);
    const namesRoot = text.includes('qx');
    expect(await factsOf(text)).toEqual({ frames: 2, columns: 8, layout: null, namesRoot, jointNames: null });
  });

  test('non-finite values are read in every spelling, also in the first line', async () => {
    const text = 'nan,-NaN,+nan,inf,-Inf,+INFINITY , -infinity,1e999\n-1e999,0,0,0,0,0,1,nan';
    const { inf, clip } = { inf: Number.POSITIVE_INFINITY, clip: parse(text) };
    expect([...clip.rows]).toEqual([NaN, NaN, NaN, inf, -inf, inf, -inf, inf, -inf, 0, 0, 0, 0, 0, 1, NaN]);
    expect(await factsOf(text)).toMatchObject({ frames: 2, columns: 8, layout: null, jointNames: null, notFinite: 1 });
    expect(await factsOf(`\n${row}\n${row}\n0,0,1,0,0,0,1,-Inf\n`)).toMatchObject({ frames: 3, notFinite: 4 });
  });

  test('joint names come from the header', async () => {
    const text = `"x",y,z,qx,qy,qz,qw,left_knee\n${row}\n`;
    expect(parse(text).jointNames).toEqual(['left_knee']);
    expect((await factsOf(text)).jointNames).toEqual(['left_knee']);
  });
});

describe('errors name line, column and remedy', () => {
  test.each([
    ['a short line', `${row}\n0,0,0.8,0,0,0,1\n${row}`, 'line 2, column 8: 7 columns, expected 8 as in'],
    ['a short last line', `${row}\n0,0,0`, 'line 2, column 4: 3 columns, expected 8'],
    [
      'a long line',
      `${row}\n${row},1\n`,
      'line 2, column 9: the line has more values than the lines before it (8 columns)',
    ],
    ['a word', `${row}\n\n0,0,abc,0,0,0,1,0\n`, 'line 3, column 3: "abc" is not a number. Write a plain decimal'],
    ['a number with a tail', `${row}\n0,0,1.5m,0,0,0,1,0\n`, 'line 2, column 3: "1.5m" is not a number'],
    ['a hexadecimal number', `${row}\n0x10,0,1,0,0,0,1,0\n`, 'line 2, column 1: "0x10" is not a number'],
    ['an empty cell', `${row}\n0,,1,0,0,0,1,0\n`, 'line 2, column 2: the cell is empty'],
    ['a comma at the end', `${row}\n0,0,1,0,0,0,1,\n`, 'line 2, column 8: the line ends with a comma'],
    ['nan with a tail', `${row}\n0,0,nano,0,0,0,1,0\n`, 'line 2, column 3: "nano" is not a number'],
    ['infinity with a tail', `${row}\n0,0,-inf7,0,0,0,1,0\n`, 'line 2, column 3: "-inf7" is not a number'],
    ['half of infinity', `${row}\n0,0,infin,0,0,0,1,0\n`, 'line 2, column 3: "infin" is not a number'],
    ['a sign alone', `${row}\n0,0,-,0,0,0,1,0\n`, 'line 2, column 3: "-" is not a number'],
    ['seven columns', '0,0,0.8,0,0,0,1\n', 'line 1, column 7: the line has only 7 columns; a clip has at least 8'],
    [
      'semicolons',
      '0;0;0.8;0;0;0;1;0\n',
      'line 1, column 1: the line has only 1 column; separate the columns with commas',
    ],
    ['nothing', '', 'line 1, column 1: the file has no rows'],
    ['blank lines alone', '\n  \r\n\n', 'the file has no rows'],
    ['a header alone', 'x,y,z,qx,qy,qz,qw,knee\n', 'the file has no rows'],
    [
      'a header with Euler angles that names them otherwise than BONES-SEED',
      `Frame,x,y,z,roll,pitch,yaw,knee\n${row}\n`,
      'line 1, column 1: the header names "Frame", but not all of root_translateX/Y/Z and root_rotateX/Y/Z',
    ],
    [
      'a header without joints',
      `Frame,x,y,z,qx,qy,qz,qw\n${row}\n`,
      'line 1, column 8: the header has no joint columns. A clip needs at least one.',
    ],
  ])('an error names line, column and remedy: %s', (_, text, message) => {
    expect(refusal(text)).toContain(message);
  });

  test('a file that ends within a line is reported as truncated', () => {
    expect(refusal(`${row}\n0,0`)).toContain('The file may be truncated: copy it again.');
  });

  test('UTF-16 text is reported as UTF-16', () => {
    expect(() => parseClipCsv(Uint8Array.of(0xff, 0xfe, 48, 0))).toThrow('line 1, column 1: the file is UTF-16 text');
  });

  test('the message starts with the given name', () => {
    expect(() => parseClipCsv(encode('1,2'), { name: 'walk.csv' })).toThrow('walk.csv: line 1, column 2:');
  });

  test('memory follows the size of the file, not its widest line times its number of lines', () => {
    const wide = Array.from({ length: 20_000 }, () => '1').join(',');
    const clip = parse(`${wide}\n${'\n'.repeat(1_000_000)}`);
    expect(clip).toMatchObject({ frames: 1, columns: 20_000 });
  });
});

test('after 16 MB of blank lines, the error still names the right line', async () => {
  const blank = '\n'.repeat(1 << 24);
  expect(await factsOf(`${blank}${row}`)).toMatchObject({ frames: 1, columns: 8, layout: null, jointNames: null });
  await expect(factsOf(`${blank}1,2\n`)).rejects.toThrow(`line ${(1 << 24) + 1}, column 2: the line has only 2`);
});

test('a first line that spans two chunks of the file is read completely', async () => {
  // One line of 300,000 bytes spans two chunks of 256 KiB.
  const wide = Array.from({ length: 150_000 }, () => '1').join(',');
  expect(await factsOf(`${wide}\n${wide}\n`)).toMatchObject({ frames: 2, columns: 150_000 });
});

describe('properties', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });

  test('any finite double written by JavaScript reads back as itself', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(number, { minLength: 9, maxLength: 9 }), { minLength: 1, maxLength: 20 }),
        (rows) => {
          const clip = parse(rows.map((cells) => cells.join(',')).join('\n'));
          expect(clip).toMatchObject({ frames: rows.length, columns: 9 });
          expect([...clip.rows]).toEqual(rows.flat().map((value) => (Object.is(value, -0) ? 0 : value)));
        },
      ),
    );
  });

  test('decimals of any length are rounded as Number rounds them', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[+-]?\d{1,22}(\.\d{0,25})?([eE][+-]?\d{1,3})?$/), (text) => {
        expect(parse(Array(8).fill(text).join(',')).rows[7]).toBe(Number(text));
      }),
      { numRuns: 5000 },
    );
  });

  test('40,000 numbers of each common writer are rounded as Number rounds them', () => {
    const random = randomFrom(7);
    const writers: ((value: number) => string)[] = [
      (value) => `${value}`,
      (value) => value.toExponential(18),
      (value) => value.toFixed(20),
      (value) => value.toPrecision(16),
      (value) => `${value.toFixed(9)}${Math.floor(random() * 1e9)}`,
      // a number halfway between two doubles, and numbers near it
      (value) => (BigInt(Math.floor(value * 2 ** 53)) * 2n + 1n).toString(),
      (value) =>
        `${(BigInt(Math.floor(Math.abs(value) * 2 ** 53)) * 2n + 1n) * 5n ** 8n}e${Math.floor(random() * 80) - 50}`,
    ];
    for (const write of writers) {
      const cells = Array.from({ length: 40_000 }, () => write((random() - 0.5) * 10 ** Math.floor(random() * 6 - 3)));
      const { rows } = parse(cells.map((cell, index) => cell + (index % 8 === 7 ? '\n' : ',')).join(''));
      const wrong = cells.filter((cell, index) => Number(cell) !== rows[index]);
      expect(wrong).toEqual([]);
    }
  });

  test('formatted values parse back within 1e-7, with six or seven decimals', () => {
    const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(values, (cells) => {
        const text = formatClipCsv(cells, 8);
        expect(text.split(/[,\n]/).filter((cell) => cell !== '' && !/^-?\d+\.\d{6,7}$/.test(cell))).toEqual([]);
        const { rows } = parse(text);
        for (const [index, value] of cells.entries())
          expect(Math.abs(rows[index]! - value)).toBeLessThanOrEqual(1.001e-7);
      }),
    );
  });

  test('damaged text is read or refused as bad input, and the properties agree with the rows', async () => {
    const good = encode(`x,y,z,qx,qy,qz,qw,knee\n${`${row}\r\n`.repeat(5)}`);
    const edit = fc.record({ at: fc.nat(good.length - 1), byte: fc.nat(255), cut: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 6 }), async (edits) => {
        let bytes = good.slice();
        for (const { at, byte, cut } of edits) {
          if (cut) bytes = bytes.slice(0, at + 1);
          else if (at < bytes.length) bytes[at] = byte;
        }
        try {
          const { frames, columns, jointNames } = parseClipCsv(bytes);
          expect(await factsOf(bytes)).toMatchObject({ frames, columns, jointNames });
        } catch (error) {
          if (!(error instanceof StudioError)) throw error;
          expect(error.message).toMatch(/^line \d+(, column \d+)?: /);
        }
      }),
      { numRuns: 300 },
    );
  });
});

test('any number of digits before and after the point gives the same value as Number', () => {
  const random = randomFrom(7);
  const digits = (count: number) => Array.from({ length: count }, () => Math.floor(10 * random())).join('');
  const cells: string[] = [];
  for (let whole = 0; whole <= 18; whole += 1)
    for (let decimals = 0; decimals <= 18; decimals += 1)
      if (whole + decimals > 0)
        for (const sign of ['', '-', '+'])
          cells.push(`${sign}${digits(whole)}${decimals > 0 || random() < 0.3 ? '.' : ''}${digits(decimals)}`);
  while (cells.length % 8 !== 0) cells.push('-0');
  for (const [end, gap] of [
    ['\n', ''],
    ['\r\n', ' '],
  ] as const) {
    const lines = Array.from({ length: cells.length / 8 }, (_, k) => cells.slice(8 * k, 8 * k + 8).join(`,${gap}`));
    for (const last of [end, '']) {
      const { rows } = parse(lines.join(end) + last);
      expect(cells.filter((cell, index) => !Object.is(rows[index], Number(cell)))).toEqual([]);
    }
  }
});

test('non-finite values are not written', () => {
  expect(() => formatClipCsv([1, Number.NaN], 2)).toThrow('NaN cannot be written');
  expect(() => formatClipCsv([1, 2, 3], 2)).toThrow('are not a multiple of 2 columns');
  expect(formatClipCsv([-0, -1e-9], 2)).toBe('0.000000,0.000000\n');
});

test.skipIf(!hasKit)('a real clip of 7840 frames is read exactly and in less than 100 ms of CPU', async () => {
  const file = path.join(KIT, 'clips/walk1_subject1.csv');
  const bytes = readFileSync(file);
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const start = process.cpuUsage();
    parseClipCsv(bytes);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1e3);
  }
  const clip = parseClipCsv(bytes);
  expect(clip).toMatchObject({ frames: 7840, columns: 36 });
  expect([...clip.rows]).toEqual(bytes.toString().trim().split(/[,\n]/).map(Number));
  expect(Math.min(...times)).toBeLessThan(100);
  expect(await csvFacts(file)).toMatchObject({ frames: 7840, columns: 36, layout: null, jointNames: null });
});
