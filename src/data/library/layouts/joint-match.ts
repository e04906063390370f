/** Matches endings of position columns: `kLeftHipPitch.q`, `shoulder_pan.pos`. */
const POSITION = /[._](?:q|qpos|pos|position|angle)$/i;

/** Normalises a joint name, so that all spellings become equal: `left_hip_pitch_joint`, `kLeftHipPitch.q` and
 *  `robot/LeftHipPitch` become `lefthippitch`. */
function jointKey(name: string): string {
  return name
    .slice(name.lastIndexOf('/') + 1)
    .replace(POSITION, '')
    .replace(/^k(?=[A-Z])/, '')
    .replace(/[_ .-]?joint$/i, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/** Finds the column of each joint by its exact name, or else by its normalised name.
 *  @returns for each of `wanted` its index in `names`, or −1 */
export function matchJoints(names: readonly string[], wanted: readonly string[]): number[] {
  const exact = placesOf(names.map((name) => name.slice(name.lastIndexOf('/') + 1)));
  const byKey = placesOf(names.map(jointKey));
  const keys = wanted.map(jointKey);
  return wanted.map((name, k) => {
    const alone = keys.indexOf(keys[k]!) === keys.lastIndexOf(keys[k]!);
    return exact.get(name) ?? (alone ? byKey.get(keys[k]!) : undefined) ?? -1;
  });
}

/** Returns the index of each key. Two columns with the same key are ambiguous: −1, so that neither of them is used. */
function placesOf(keys: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [index, key] of keys.entries()) places.set(key, places.has(key) ? -1 : index);
  return places;
}
