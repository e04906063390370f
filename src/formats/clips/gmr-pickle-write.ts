import { type RawClip, ROOT_COLUMNS } from '../raw-clip.ts';

/** Formats a clip in the layout of GMR: a pickle (protocol 3) with numbers in double precision. `GMR_PICKLE` and any
 *  version of numpy can read it. The frame rate is None if the clip does not state it. @returns parts to write in this
 *  order */
export function formatGmrPickle(clip: RawClip): readonly Uint8Array[] {
  const { frames, columns, fps, jointNames } = clip;
  return [
    text('\x80\x03}('),
    key('fps'),
    fps === null ? text('N') : double(fps),
    key('root_pos'),
    ...array(clip, 0, 3),
    key('root_rot'),
    ...array(clip, 3, 4),
    key('dof_pos'),
    ...array({ rows: clip.rows, frames, columns }, ROOT_COLUMNS, columns - ROOT_COLUMNS),
    ...(jointNames === null ? [] : [key('joint_names'), text(']('), ...jointNames.map(key), text('e')]),
    text('u.'),
  ];
}

/** Pickles some columns as numpy does: as `_reconstruct(ndarray, (0,), b'b')` with the state `(1, shape,
 *  dtype('<f8'), False, bytes)`. */
function array(
  { rows, frames, columns }: Pick<RawClip, 'rows' | 'frames' | 'columns'>,
  first: number,
  width: number,
): readonly Uint8Array[] {
  const data = new Float64Array(frames * width);
  for (let frame = 0; frame < frames; frame += 1)
    data.set(rows.subarray(frame * columns + first, frame * columns + first + width), frame * width);
  return [
    text('cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85C\x01b\x87R(K\x01'),
    integer(frames),
    integer(width),
    text('\x86cnumpy\ndtype\n'),
    key('f8'),
    text('\x89\x88\x87R(K\x03'),
    key('<'),
    text('NNN'),
    integer(-1),
    integer(-1),
    text('K\x00tb\x89'),
    bytes(new Uint8Array(data.buffer)),
    text('tb'),
  ].flat();
}

function text(opcodes: string): Uint8Array {
  return Buffer.from(opcodes, 'latin1');
}

function key(name: string): Uint8Array {
  const content = Buffer.from(name);
  const head = Buffer.alloc(5);
  head.write('X', 'latin1');
  head.writeUInt32LE(content.length, 1);
  return Buffer.concat([head, content]);
}

function integer(value: number): Uint8Array {
  const out = Buffer.alloc(5);
  out.write('J', 'latin1');
  out.writeInt32LE(value, 1);
  return out;
}

function double(value: number): Uint8Array {
  const out = Buffer.alloc(9);
  out.write('G', 'latin1');
  out.writeDoubleBE(value, 1);
  return out;
}

function bytes(content: Uint8Array): Uint8Array[] {
  const head = Buffer.alloc(5);
  head.write('B', 'latin1');
  head.writeUInt32LE(content.length, 1);
  return [head, content];
}
