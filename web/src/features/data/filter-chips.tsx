import { CHECK_KINDS } from '../../../../src/protocol/check-kinds.ts';
import { Icon } from '../../ui/icon.tsx';
import { filters } from './data-store.ts';
import type { ClipFilters } from './dataset-browser.ts';
import { onlyFilters, SORTS } from './sorts.ts';

const KINDS: Readonly<Record<string, string>> = CHECK_KINDS;

/** The order and the filters of the clip table that differ from the defaults; a click removes one. */
export function FilterChips() {
  const now = filters.value;
  const chips = chipsOf(now);
  if (chips.length === 0) return null;
  return (
    <ul class="filter-chips" aria-label="Order and filters">
      {chips.map(({ text, without }) => (
        <li key={text}>
          <button type="button" class="chip" title={`Remove: ${text}`} onClick={() => (filters.value = without)}>
            <span class="ellipsis">{text}</span>
            <Icon name="close" small />
          </button>
        </li>
      ))}
    </ul>
  );
}

interface Chip {
  readonly text: string;
  readonly without: ClipFilters;
}

function chipsOf(now: ClipFilters): readonly Chip[] {
  const { sort, order = 'asc', ...unsorted } = now;
  const sortText =
    SORTS.find(([, by, direction]) => by === sort && direction === order)?.[0] ??
    `${sort === 'name' ? 'Name' : (sort ?? '')}, ${order === 'asc' ? 'ascending' : 'descending'}`;
  return [
    ...(sort === undefined ? [] : [{ text: sortText, without: unsorted }]),
    ...Object.keys(onlyFilters(now)).map((key) => {
      const { [key as keyof ClipFilters]: value, ...without } = now;
      return { text: textOf(key, value), without: without as ClipFilters };
    }),
  ];
}

function textOf(key: string, value: unknown): string {
  switch (key) {
    case 'findings':
      return value === 'true' ? 'With findings' : `Finding: ${KINDS[String(value)] ?? String(value)}`;
    case 'failed':
      return 'Conversion failed';
    case 'excluded':
      return value === true ? 'Excluded' : 'Not excluded';
    default:
      return `Tag: ${String(value)}`;
  }
}
