import { badInput } from '../../core/errors.ts';
import { type ByteSource, openBytes } from '../../formats/byte-source.ts';
import { NPY_HEAD_BYTES, readNpyHeader } from '../../formats/npy-header.ts';
import { type EntryPlace, findEntries } from '../../formats/zip.ts';
import { captionOf, type FrameVisit, MOST_CAPTION } from './recorded-frames.ts';

const POSE = 7;
const ENTRIES = ['poses.npy', 'ghosts.npy', 'wall.npy', 'scene.jsonl'] as const;
const PART_BYTES = 1 << 20;
const MOST_FRAMES = 4_000_000;

/** Visits the frames of an npz recording in order. @param bodies number of bodies of the recorded robot
 *  @throws bad_input for arrays that are compressed, truncated or of another shape */
export async function visitNpzFrames(file: string, bodies: number, visit: (frame: FrameVisit) => void): Promise<void> {
  const bytes = await openBytes(file);
  try {
    const entries = await findEntries(bytes, (name) => ENTRIES.some((entry) => entry === name));
    for (const entry of entries.values())
      if (entry.deflated) throw badInput(`${entry.name} is compressed. Save the file with numpy.savez.`);
    const wall = await arrayOf(bytes, entries, 'wall.npy', '<f8', 1);
    const poses = await arrayOf(bytes, entries, 'poses.npy', '<f4', 4);
    const ghosts = entries.has('ghosts.npy') ? await arrayOf(bytes, entries, 'ghosts.npy', '<f4', 4) : null;
    const [frames = 0] = wall.shape;
    if (frames > MOST_FRAMES) throw badInput(`${frames} frames, the limit is ${MOST_FRAMES}`);
    for (const [name, array] of [['poses', poses], ...(ghosts ? [['ghosts', ghosts] as const] : [])] as const)
      if (array.shape[0] !== frames || array.shape[2] !== bodies || array.shape[3] !== POSE)
        throw badInput(
          `${name} has the shape (${array.shape.join(', ')}), expected (${frames}, n, ${bodies}, ${POSE})`,
        );
    const times = new Float64Array(frames);
    new Uint8Array(times.buffer).set(await bytes.read(wall.start, times.byteLength));
    const lines = linesOf(bytes, entries.get('scene.jsonl'));
    for (let frame = 0; frame < frames; frame += 1) {
      const line = (await lines.next()).value;
      const caption = line ? captionOf(line) : null;
      if (!caption) throw badInput(`line ${frame + 1} of scene.jsonl does not describe a frame`);
      if (caption.n > poses.shape[1]! || caption.ghosts > (ghosts?.shape[1] ?? 0))
        throw badInput(`line ${frame + 1} of scene.jsonl has more robots than the arrays`);
      const robot = await rowOf(bytes, poses, frame, caption.n * bodies * POSE);
      const ghost = ghosts ? await rowOf(bytes, ghosts, frame, caption.ghosts * bodies * POSE) : new Float32Array(0);
      const both = new Float32Array(robot.length + ghost.length);
      both.set(robot);
      both.set(ghost, robot.length);
      visit({ atMs: 1e3 * times[frame]!, caption, poses: both });
    }
  } finally {
    await bytes.close();
  }
}

/** Position and shape of an array in the file. */
interface PlacedArray {
  readonly shape: readonly number[];
  /** position of the first value */
  readonly start: number;
}

async function arrayOf(
  bytes: ByteSource,
  entries: ReadonlyMap<string, EntryPlace>,
  name: (typeof ENTRIES)[number],
  descr: '<f4' | '<f8',
  axes: number,
): Promise<PlacedArray> {
  const entry = entries.get(name);
  if (!entry) throw badInput(`the npz file has no array ${name}`);
  const header = readNpyHeader(await bytes.read(entry.start, Math.min(NPY_HEAD_BYTES, entry.packedBytes)));
  const { shape, fortran, dataStart, count, itemBytes } = header;
  if (header.descr !== descr || fortran || shape.length !== axes)
    throw badInput(`${name}: expected ${axes} axes of type ${descr}`);
  if (dataStart + itemBytes * count > entry.packedBytes) throw badInput(`${name} is truncated`);
  return { shape, start: entry.start + dataStart };
}

async function rowOf(
  bytes: ByteSource,
  { shape, start }: PlacedArray,
  row: number,
  floats: number,
): Promise<Float32Array> {
  const rowBytes = 4 * shape[1]! * shape[2]! * shape[3]!;
  const read = await bytes.read(start + row * rowBytes, 4 * floats);
  const out = new Float32Array(floats);
  new Uint8Array(out.buffer).set(read);
  return out;
}

/** Reads the lines of an entry one by one. @throws bad_input for a line that is too long */
async function* linesOf(bytes: ByteSource, entry: EntryPlace | undefined): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for (let at = 0; entry && at < entry.packedBytes; at += PART_BYTES) {
    rest = Buffer.concat([rest, await bytes.read(entry.start + at, Math.min(PART_BYTES, entry.packedBytes - at))]);
    let from = 0;
    for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a, from)) {
      yield rest.subarray(from, end);
      from = end + 1;
    }
    rest = rest.subarray(from);
    if (rest.length > MOST_CAPTION)
      throw badInput(`a line of scene.jsonl is longer than ${MOST_CAPTION} bytes: the recording is damaged`);
  }
}
