import { badInput, StudioError } from '../../core/errors.ts';
import type { ClipFormat } from '../clip-format.ts';
import type { PickleDict, PickleValue } from '../pickle/pickle-values.ts';
import { ROOT_COLUMNS } from '../raw-clip.ts';
import { hasLayout, type PickledLayout, pickledClip, pickledFacts } from './pickled-clip.ts';

const LAYOUT: PickledLayout = { position: 'root_trans_offset', rotation: 'root_rot', joints: 'dof' };
/** Maximum number of clips in one file. Files with a whole library contain some thousand. */
const MAX_CLIPS = 100_000;
const SHOWN_CHARACTERS = 80;

/** A motion library of SONIC, in the same layout as PHC: `{name: clip}`. A clip has `root_trans_offset` (frames, 3)
 *  m, `root_rot` (frames, 4), `dof` (frames, joints) rad in MuJoCo's order, and `fps`; `pose_aa` and `smpl_joints`
 *  are not needed. `root_rot` is xyzw: SONIC's guide says wxyz, but its converter writes scipy's order. Some tools
 *  write a single clip without a name. */
export const MOTION_LIB_PICKLE: ClipFormat<PickleValue> = {
  id: 'motion-lib-pickle',
  title: 'SONIC motion library',
  sniff: (pickle) => entriesOf(pickle) !== null,
  facts(pickle) {
    const entries = checkedEntries(pickle);
    const all = entries.map(([name, entry]) => inClip(name, entries.length, () => pickledFacts(entry, LAYOUT)));
    const other = all.findIndex(({ columns }) => columns !== all[0]!.columns);
    if (other >= 0)
      throw badInput(
        `the clip ${shown(entries[other]![0])} has ${all[other]!.columns - ROOT_COLUMNS} joints, but ${shown(entries[0]![0])} has ${all[0]!.columns - ROOT_COLUMNS}. Split the file by robot.`,
      );
    const frames = all.reduce((sum, facts) => sum + facts.frames, 0);
    return entries.length === 1 ? all[0]! : { ...all[0]!, frames, segments: entries.length };
  },
  read(pickle) {
    const entries = checkedEntries(pickle);
    if (entries.length > 1)
      throw badInput(`the file contains ${entries.length} clips. Upload or import it to split it into clips.`);
    return pickledClip(entries[0]![1], LAYOUT);
  },
  *parts(pickle) {
    const entries = checkedEntries(pickle);
    for (const [name, entry] of entries)
      yield { name: name ?? '', clip: inClip(name, entries.length, () => pickledClip(entry, LAYOUT)) };
  },
};

type Entry = readonly [name: string | null, dict: PickleDict];

/** Returns the clips of a library; null if the first entry shows that the value is not a library. */
function entriesOf(value: PickleValue): readonly Entry[] | null {
  if (hasLayout(value, LAYOUT)) return [[null, value]];
  if (!(value instanceof Map) || !hasLayout([...value.values()][0] ?? null, LAYOUT)) return null;
  return [...value] as unknown as Entry[];
}

/** Returns the clips of a library, with names checked. @throws bad_input for names that are not strings */
function checkedEntries(value: PickleValue): readonly Entry[] {
  const entries = entriesOf(value) ?? [];
  if (entries.length > MAX_CLIPS)
    throw badInput(`the file contains ${entries.length} clips, the limit is ${MAX_CLIPS}`);
  for (const [name] of entries)
    if (name !== null && typeof name !== 'string')
      throw badInput('the name of a clip in the file is a number, expected a text');
  return entries;
}

/** Adds the name of the clip to errors in a library. */
function inClip<T>(name: string | null, clips: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof StudioError) || name === null || clips === 1) throw error;
    throw new StudioError(error.code, `the clip ${shown(name)}: ${error.message}`, { cause: error });
  }
}

function shown(name: string | null): string {
  return JSON.stringify((name ?? '').slice(0, SHOWN_CHARACTERS));
}
