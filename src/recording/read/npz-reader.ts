import { badInput } from '../../core/errors.ts';
import { openRegularFile } from '../../core/files/read-regular-file.ts';
import { readZip } from '../../formats/zip.ts';
import type { Recording } from '../../protocol/schemas/recordings.ts';

/** Name of the file in the npz archive that describes the recording, as JSON. */
export const FACTS_ENTRY = 'recording.json';
const MOST_FACTS = 1 << 20;

/** Properties of an npz recording. */
export interface NpzFacts extends Pick<Recording, 'robot' | 'owner' | 'created' | 'duration' | 'reason'> {
  readonly state: 'done' | 'cut';
  readonly bodies: readonly string[];
}

/** Reads the properties of an npz recording. @throws bad_input for a file that the studio has not recorded */
export async function readNpzFacts(file: string): Promise<NpzFacts> {
  await (await openRegularFile(file)).close(); // opens the file; links are refused
  const entries = await readZip(file, (name) => (name === FACTS_ENTRY ? MOST_FACTS : 0));
  const entry = entries.get(FACTS_ENTRY);
  if (!entry || entry.size > MOST_FACTS) throw badInput('the npz file was not recorded by the studio');
  return factsOf(Buffer.from(entry.bytes).toString('utf8'));
}

function factsOf(text: string): NpzFacts {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw badInput(`${FACTS_ENTRY} of the npz file is not JSON`);
  }
  const { robot, owner, created, duration, state, reason, bodies } = value;
  const isValid =
    typeof robot === 'string' &&
    typeof created === 'string' &&
    !Number.isNaN(Date.parse(created)) &&
    typeof duration === 'number' &&
    Array.isArray(bodies) &&
    bodies.length <= 10_000 &&
    bodies.every((body) => typeof body === 'string');
  if (!isValid) throw badInput(`${FACTS_ENTRY} of the npz file is incomplete`);
  return {
    robot: robot.slice(0, 64),
    owner: typeof owner === 'string' && ['robots', 'data', 'play', 'import'].includes(owner) ? (owner as 'play') : null,
    created: new Date(created).toISOString(),
    duration,
    state: state === 'done' ? 'done' : 'cut',
    reason: typeof reason === 'string' ? reason : null,
    bodies,
  };
}
