import { crc32, deflateRawSync } from 'node:zlib';
import { formatNpy, type NpyArray } from '../../src/formats/npy.ts';
import { writeNpz } from '../../src/formats/npz.ts';

/** A file that looks like a clip but is invalid, or that would cost far more than its size to read. */
export interface HostileFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** expected error message */
  readonly says: RegExp;
}

interface RawEntry {
  readonly name: string;
  readonly content: Uint8Array;
  readonly deflate?: boolean;
  /** size that the headers claim after expansion; default: the true size */
  readonly claimed?: number;
}

/** Writes a zip file; its headers may contradict its content. */
export function rawZip(entries: readonly RawEntry[]): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let at = 0;
  for (const { name, content, deflate = false, claimed = content.length } of entries) {
    const packed = deflate ? deflateRawSync(content, { level: 9 }) : content;
    const title = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(deflate ? 8 : 0, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claimed, 18);
    common.writeUInt16LE(title.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, title, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    centrals.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), common, tail, title]));
    locals.push(local);
    at += local.length;
  }
  const central = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, central, end]);
}

/** Writes a `.npy` file with this header text and content. */
function rawNpy(header: string, content: Uint8Array, length = header.length + 1): Buffer {
  const head = Buffer.alloc(12);
  head.write('\x93NUMPY\x02\x00', 'latin1');
  head.writeUInt32LE(length, 8);
  return Buffer.concat([head, Buffer.from(`${header}\n`, 'latin1'), content]);
}

/** Arrays of a converted clip of two frames and two bodies. */
export function motionArrays(joints: number): Record<string, NpyArray> {
  const floats = (...shape: number[]): NpyArray => ({
    dtype: 'f4',
    shape,
    data: new Float32Array(shape.reduce((product, size) => product * size, 1)).fill(0.5),
  });
  return {
    fps: { dtype: 'f4', shape: [1], data: Float32Array.of(50) },
    joint_pos: floats(2, joints),
    joint_vel: floats(2, joints),
    body_pos_w: floats(2, 2, 3),
    body_quat_w: floats(2, 2, 4),
    body_lin_vel_w: floats(2, 2, 3),
    body_ang_vel_w: floats(2, 2, 3),
  };
}

/** Hostile files of every clip format. @param joints number of joints of the robot
 *  @param mark path of a file that some of them try to create; it must not exist afterwards */
export function hostileFiles(joints: number, mark: string): readonly HostileFile[] {
  return [...hostileCsv(joints), ...hostileNpz(joints, mark), ...hostilePickles(joints, mark)];
}

function hostileCsv(joints: number): HostileFile[] {
  const row = (columns: number) => `${Array.from({ length: columns }, (_, k) => (k === 6 ? 1 : 0)).join(',')}\n`;
  const good = row(7 + joints);
  const file = (name: string, text: string | Uint8Array, says: RegExp): HostileFile => ({
    name: `${name}.csv`,
    bytes: Buffer.from(text),
    says,
  });
  return [
    file('empty', '', /the file has no rows/),
    file(
      'header alone',
      `x,y,z,qx,qy,qz,qw,${Array.from({ length: joints }, (_, k) => `joint_${k}`).join()}\n`,
      /the file has no rows/,
    ),
    file('other robot', row(7 + joints + 1), /this robot needs/),
    file('short row', good + row(7 + joints - 1), /line 2, column \d+: \d+ columns, expected \d+/),
    file('word', `${good}${good.replace('1', 'abc')}`, /line 2, column 7: "abc" is not a number/),
    file('binary', Buffer.alloc(200_000, 0xfe), /line 1/),
    file('utf16', Buffer.from(`\ufeff${good}`, 'utf16le'), /UTF-16/),
    file('endless line', '1,'.repeat(8_000_000), /longer than 1 MiB/),
    file('blank', '\n'.repeat(4_000_000), /the file has no rows/),
    file('markup', '<script>alert(1)</script>,'.repeat(7 + joints), /no rows|needs/),
  ];
}

function hostileNpz(joints: number, mark: string): HostileFile[] {
  const arrays = motionArrays(joints);
  const entries = (changes: Record<string, RawEntry | NpyArray | null>): RawEntry[] =>
    Object.entries({ ...arrays, ...changes })
      .filter(([, entry]) => entry !== null)
      .map(([name, entry]) =>
        'content' in entry! ? entry : { name: `${name}.npy`, content: formatNpy(entry as NpyArray) },
      );
  const npz = (name: string, changes: Record<string, RawEntry | NpyArray | null>, says: RegExp): HostileFile => ({
    name: `${name}.npz`,
    bytes: rawZip(entries(changes)),
    says,
  });
  const jointPos = (content: Uint8Array, more: Partial<RawEntry> = {}) => ({
    joint_pos: { name: 'joint_pos.npy', content, ...more },
  });
  const header = (descr: string, shape: string) => `{'descr': '${descr}', 'fortran_order': False, 'shape': ${shape}, }`;
  /** Arrays of two million frames of zeros: 140 MB, compressed to less than 1 MB. */
  const zeros = (shape: string, perFrame: number) =>
    Buffer.concat([
      rawNpy(header('<f4', `(2000000, ${shape})`), Buffer.alloc(0)),
      Buffer.alloc(4 * 2_000_000 * perFrame),
    ]);
  const bomb = (claimed?: number): Record<string, RawEntry | null> => ({
    // Leaves out three arrays. With two frames they would contradict the other arrays, and the file would be refused
    // before it is expanded.
    ...{ joint_vel: null, body_lin_vel_w: null, body_ang_vel_w: null },
    ...Object.fromEntries(
      (
        [
          ['joint_pos', `${joints}`, joints],
          ['body_pos_w', '2, 3', 6],
          ['body_quat_w', '2, 4', 8],
        ] as const
      ).map(([name, shape, perFrame]) => [
        name,
        { name: `${name}.npy`, content: zeros(shape, perFrame), deflate: true, ...(claimed ? { claimed } : {}) },
      ]),
    ),
  });
  const whole = rawZip(entries({}));
  const bundle = (...names: string[]) => ({
    segment_start_idx: {
      dtype: 'i8' as const,
      shape: [names.length],
      data: BigInt64Array.from(names, (_, k) => BigInt(k)),
    },
    segment_length: { dtype: 'i8' as const, shape: [names.length], data: new BigInt64Array(names.length).fill(1n) },
    segment_names: { dtype: 'U' as const, shape: [names.length], data: names },
  });
  const system = latin1(`\x80\x02cnumpy.core.multiarray\n_reconstruct\ncposix\nsystem\n(S'touch ${mark}'\ntR.`);
  return [
    npz('bomb', bomb(), /expands to more than \d+ MiB/),
    npz('lying bomb', bomb(1000), /damaged|too many bytes|not a readable zip/),
    npz(
      'liar',
      jointPos(Buffer.alloc(100), { deflate: true, claimed: 60 << 20 }),
      /claims a size to which its bytes cannot/,
    ),
    npz('huge header', jointPos(rawNpy(' '.repeat(5_000_000), new Uint8Array(4))), /header is longer than/),
    npz(
      'header beyond the file',
      jointPos(rawNpy(header('<f4', '(1,)'), new Uint8Array(4), 0xffffffff)),
      /header is longer/,
    ),
    npz(
      'endless shape',
      jointPos(rawNpy(header('<f4', '(9007199254740991, 9007199254740991)'), new Uint8Array(4))),
      /larger than any file/,
    ),
    npz('false shape', jointPos(rawNpy(header('<f4', '(1000000, 1000000)'), new Uint8Array(4))), /is damaged/),
    npz('negative shape', jointPos(rawNpy(header('<f4', '(-1, 5)'), new Uint8Array(4))), /is not a tuple of lengths/),
    npz(
      'code',
      jointPos(
        rawNpy(
          `{'descr': '<f4', 'fortran_order': __import__('os').system('touch ${mark}'), 'shape': (1,)}`,
          new Uint8Array(4),
        ),
      ),
      /header is not in numpy's format/,
    ),
    npz(
      'pickled numbers',
      jointPos(rawNpy(header('|O', '(2, 3)'), system)),
      /"joint_pos": arrays of Python objects are not supported/,
    ),
    npz('no frames', { joint_pos: { dtype: 'f4', shape: [0, joints], data: new Float32Array(0) } }, /shape|no frames/),
    npz(
      'frame rate of zero',
      { fps: { dtype: 'f4', shape: [1], data: Float32Array.of(0) } },
      /"fps" must be a single number/,
    ),
    npz(
      'frame rate of nothing',
      { fps: { dtype: 'f4', shape: [1], data: Float32Array.of(Number.NaN) } },
      /"fps" must be/,
    ),
    npz('other joints', motionArrays(joints + 1), /this robot needs/),
    npz(
      'twice',
      { again: { name: 'joint_pos.npy', content: formatNpy(arrays['joint_pos']!) } },
      /"joint_pos.npy" twice/,
    ),
    npz('names that climb', bundle('../../evil', '/tmp/evil'), /evil/),
    {
      name: 'many.npz',
      bytes: rawZip(Array.from({ length: 5000 }, (_, k) => ({ name: `${k}.npy`, content: new Uint8Array(1) }))),
      says: /more than 1024 entries/,
    },
    {
      name: 'climbing.npz',
      bytes: rawZip([...entries({}), { name: '../../evil.npy', content: new Uint8Array(9) }]),
      says: /not a readable zip file/,
    },
    { name: 'cut.npz', bytes: whole.subarray(0, whole.length >> 1), says: /not a readable zip file/ },
    { name: 'text.npz', bytes: Buffer.from('1,2,3\n'), says: /not a readable zip file/ },
    { name: 'nothing.npz', bytes: writeNpz([]), says: /"joint_pos" is missing/ },
  ];
}

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

function hostilePickles(joints: number, mark: string): HostileFile[] {
  const file = (name: string, text: string | Uint8Array, says: RegExp): HostileFile => ({
    name: `${name}.pkl`,
    bytes: typeof text === 'string' ? latin1(text) : text,
    says,
  });
  const doubles = (count: number) => `B${int(8 * count)}${'\0'.repeat(8 * count)}`;
  const array = (shape: readonly number[], content: string) =>
    `cnumpy._core.numeric\n_frombuffer\n(${content}cnumpy\ndtype\n(U\x02f8I0\nI1\ntR(${shape.map((size) => `I${size}\n`).join('')}tU\x01CtR`;
  const clip = (changes: Readonly<Record<string, string>>) =>
    `\x80\x03}(${Object.entries({
      fps: 'K\x1e',
      root_pos: array([2, 3], doubles(6)),
      root_rot: array([2, 4], doubles(8)),
      dof_pos: array([2, joints], doubles(2 * joints)),
      ...changes,
    })
      .map(([key, value]) => `U${String.fromCharCode(key.length)}${key}${value}`)
      .join('')}u.`;
  const whole = latin1(clip({}));
  return [
    file('system', `cos\nsystem\n(S'touch ${mark}'\ntR.`, /refers to os\.system, which is not allowed/),
    file('system in a clip', clip({ extra: `cposix\nsystem\n(S'touch ${mark}'\ntR` }), /posix\.system, which is not/),
    file('eval', clip({ fps: `c__builtin__\neval\n(S'open("${mark}", "w")'\ntR` }), /__builtin__\.eval, which is not/),
    file('object', `\x80\x04\x8c\x0asubprocess\x8c\x05Popen\x93)\x81.`, /subprocess\.Popen, which is not allowed/),
    file('deep', `${'('.repeat(200_000)}${'l'.repeat(200_000)}.`, /the pickle contains a list/),
    file('memo bomb', `]q\x00K\x01a${`0](${'h\x00'.repeat(10)}eq\x00`.repeat(13)}.`, /the pickle contains a list/),
    file('tebibyte', `\x80\x04\x8e\0\0\0\0\0\x01\0\0.`, /ends early/),
    file('endless', '}'.repeat(6_000_000), /too many objects/),
    file('lying shape', clip({ dof_pos: array([2, 1_000_000_000], doubles(2)) }), /needs|damaged/),
    file('other robot', clip({ dof_pos: array([2, joints + 1], doubles(2 * joints + 2)) }), /this robot needs/),
    file(
      'no frames',
      clip({
        root_pos: array([0, 3], doubles(0)),
        root_rot: array([0, 4], doubles(0)),
        dof_pos: array([0, joints], doubles(0)),
      }),
      /no frames/,
    ),
    file('no frame rate', clip({ fps: 'K\x00' }), /"fps" must be a single number/),
    file('cut', whole.subarray(0, whole.length - 40), /ends early/),
    file('zip', rawZip([{ name: 'data.pkl', content: whole }]), /not a pickle but a zip file/),
    file('text', '1,2,3\n', /not a pickle, or a damaged one/),
  ];
}

/** A number as four bytes, little-endian. */
function int(value: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes.toString('latin1');
}
