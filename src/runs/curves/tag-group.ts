/** Groups of training curves, with their names in the API. */
export type CurveGroup = 'train' | 'errors' | 'rewards' | 'sampling' | 'loss';

/** Returns the group of a tag of rsl_rl or of the built-in trainer; null if the tag belongs to no group but `all`. */
export function groupOfTag(tag: string): CurveGroup | null {
  if (/^Metrics\/[^/]+\/error_/.test(tag)) return 'errors';
  if (/^Metrics\/[^/]+\/(sampling_|assist_gain_mean$)/.test(tag)) return 'sampling';
  const [family] = tag.split('/', 1);
  switch (family) {
    case 'Train':
    case 'Perf':
    case 'Policy':
    case 'Episode_Termination':
    case 'Eval':
      return 'train';
    case 'Episode_Reward':
      return 'rewards';
    case 'Loss':
      return 'loss';
    default:
      return null;
  }
}

/** Returns true if the steps of a tag are seconds instead of iterations. */
export function countsSeconds(tag: string): boolean {
  return tag.endsWith('/time');
}

/** Returns a tag without its family prefix, for the title of a chart. */
export function nameOfTag(tag: string): string {
  const slash = tag.lastIndexOf('/');
  return slash === -1 ? tag : tag.slice(slash + 1);
}
