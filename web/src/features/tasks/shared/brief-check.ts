import { bytes } from '../../../ui/format.ts';

/** Maximum number of characters that fit on a line after the name of the check. */
const MOST = 30;
const NEED = /need about (\S+ \S+?)(?: of \w+)?, (\S+ \S+?)(?: of \w+)? are free/;
const OFF_BALANCE = /stands off balance for (\S+ s) /;
const CUT_SHORT = /allows about (\d+) of the (\d+) iterations/;
const FIRST_STEP = /^finite after one step from the start of (\d+) /;

/** Begin of the reason why a training does not copy networks. The page shows the reason below the field. */
const NEW_NETWORKS = 'starts with new networks: ';

/** Shortens the text of a passed check to its numbers. Drops text in brackets, turns memory into `436 MB,
 *  21.7 GB free`, and keeps as many clauses as fit the line. */
export function briefCheck(text: string): string {
  const stand = OFF_BALANCE.exec(text);
  if (stand !== null) return `off balance for ${stand[1]}`;
  const cut = CUT_SHORT.exec(text);
  if (cut !== null) return `${cut[1]} of ${cut[2]} iterations`;
  const plain = text.replace(/\s*\([^)]*\)/g, '');
  const first = FIRST_STEP.exec(plain);
  if (first !== null) return `no NaN (${first[1]} ${first[1] === '1' ? 'start' : 'starts'})`;
  const need = NEED.exec(plain);
  if (need !== null) return `${size(need[1]!)}, ${size(need[2]!)} free`;
  if (plain.startsWith(NEW_NETWORKS)) return 'new networks';
  let told = '';
  for (const clause of plain.split(/[,;] /)) {
    if (told !== '' && told.length + 2 + clause.length > MOST) break;
    told = told === '' ? clause : `${told}, ${clause}`;
  }
  return told;
}

/** Formats an amount of memory as on the rest of the page: `21734 MB` → `21.7 GB`. */
function size(text: string): string {
  const megabytes = /^(\d+) MB$/.exec(text)?.[1];
  return megabytes === undefined ? text : bytes(1e6 * Number(megabytes));
}
