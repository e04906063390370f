import type { PlayComparison } from '../../../../../src/protocol/schemas/play.ts';

type Entry = Pick<PlayComparison['entries'][number], 'run' | 'checkpoint'>;

/** Returns the shortest name that distinguishes a policy of a comparison from the others: its checkpoint, its run, or
 *  both. If two policies are equal, the second gets a number. */
export function entryName(entries: readonly Entry[], index: number): string {
  const short = ({ run }: Entry) => run.slice(run.lastIndexOf('/') + 1);
  const checkpoint = (entry: Entry) => (entry.checkpoint === '' ? 'Zero action' : entry.checkpoint);
  const names = [checkpoint, short, (entry: Entry) => `${short(entry)} · ${checkpoint(entry)}`];
  const entry = entries[index];
  if (entry === undefined) return '';
  for (const name of names) if (new Set(entries.map(name)).size === entries.length) return name(entry);
  const full = names[2]!;
  const before = entries.slice(0, index).filter((other) => full(other) === full(entry)).length;
  return before === 0 ? full(entry) : `${full(entry)} (${before + 1})`;
}
