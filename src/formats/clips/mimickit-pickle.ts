import { badInput } from '../../core/errors.ts';
import type { Assumption } from '../../protocol/schemas/reading.ts';
import type { ClipFileFacts, ClipFormat } from '../clip-format.ts';
import type { PickleDict, PickleValue } from '../pickle/pickle-values.ts';
import { ROOT_COLUMNS } from '../raw-clip.ts';
import { pickledFps } from './pickled-clip.ts';
import { checkPickledSizes, pickledNumbers, pickledShape } from './pickled-numbers.ts';

const KEYS = ['loop_mode', 'fps', 'frames'] as const;
/** Number of columns of the root: position and exponential map. */
const ROOT = 6;
/** Angle, rad, below which the quaternion is the same as for angle 0. */
const LEAST_ANGLE = 1e-12;

const ASSUMED: readonly Assumption[] = [
  { what: 'quaternion', value: 'exponential_map', from: 'format' },
  { what: 'units', value: 'm', from: 'format' },
];

/** A clip of MimicKit: a dict of `loop_mode`, `fps` and `frames` (frames, 6 + joints). The columns are the root
 *  position, m, the root orientation as exponential map, rad, and the joints in depth-first order of the robot's XML
 *  file, rad. A joint of three degrees of freedom has three columns (an exponential map). A clip with such joints
 *  cannot be used for a robot with hinge joints. */
export const MIMICKIT_PICKLE: ClipFormat<PickleValue> = {
  id: 'mimickit-pickle',
  title: 'MimicKit pickle',
  sniff: (pickle) => pickle instanceof Map && KEYS.every((key) => pickle.has(key)),
  facts(pickle) {
    const dict = pickle as PickleDict;
    const facts = clipFacts(dict);
    checkPickledSizes(dict, ['frames']);
    return facts;
  },
  read(pickle) {
    const dict = pickle as PickleDict;
    const facts = clipFacts(dict);
    const rows = toRows(pickledNumbers(dict, 'frames').data, facts.frames, facts.columns - ROOT_COLUMNS);
    return { rows, ...facts, jointNames: null };
  },
};

function clipFacts(dict: PickleDict): ClipFileFacts {
  const [frames, width] = pickledShape(dict, 'frames', null);
  if (frames === 0) throw badInput('the clip has no frames');
  if (width <= ROOT) throw badInput(`"frames" has the shape (${frames}, ${width}), expected (frames, 6 + joints)`);
  const fps = pickledFps(dict.get('fps') ?? null);
  const columns = ROOT_COLUMNS + width - ROOT;
  return { frames, columns, fps, assumed: [{ what: 'fps', value: fps, from: 'file' }, ...ASSUMED] };
}

/** Converts the rows of MimicKit to rows of a clip.
 *  @param data (frames, 6 + joints)  @returns (frames, 7 + joints), quaternion xyzw */
function toRows(data: Float64Array, frames: number, joints: number): Float64Array {
  const width = ROOT + joints;
  const columns = ROOT_COLUMNS + joints;
  const rows = new Float64Array(frames * columns);
  for (let frame = 0; frame < frames; frame += 1) {
    const from = frame * width;
    const to = frame * columns;
    rows.set(data.subarray(from, from + 3), to);
    const [x, y, z] = [data[from + 3]!, data[from + 4]!, data[from + 5]!];
    const angle = Math.hypot(x, y, z);
    const scale = angle < LEAST_ANGLE ? 0.5 : Math.sin(angle / 2) / angle;
    rows.set([scale * x, scale * y, scale * z, Math.cos(angle / 2)], to + 3);
    rows.set(data.subarray(from + ROOT, from + width), to + ROOT_COLUMNS);
  }
  return rows;
}
