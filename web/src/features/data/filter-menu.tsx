import { useEffect, useState } from 'preact/hooks';
import { call } from '../../net/api.ts';
import { MenuItem } from '../../ui/menu.tsx';
import { openMarksOfListed } from './curation.ts';
import { dataset, filters } from './data-store.ts';
import type { ClipFilters } from './dataset-browser.ts';

type Sort = NonNullable<ClipFilters['sort']>;
type Order = NonNullable<ClipFilters['order']>;

const SORTS: readonly (readonly [text: string, sort: Sort, order: Order])[] = [
  ['Name', 'name', 'asc'],
  ['Longest first', 'duration', 'desc'],
  ['Shortest first', 'duration', 'asc'],
  ['Worst findings first', 'worst', 'desc'],
  ['Best score first', 'score', 'desc'],
  ['Outliers by score first', 'score', 'asc'],
  ['Newest first', 'modified', 'desc'],
];

/** Number of clips whose tags the menu offers. */
const TAG_PAGE = 1000;

/** Items of the menu for sorting and filtering the clips. */
export function FilterMenu() {
  const now = filters.value;
  const set = dataset.value?.name ?? null;
  const tags = useTags(set);
  const sortBy = (sort: Sort, order: Order) => {
    const { sort: _sort, order: _order, ...only } = now;
    filters.value = sort === 'name' ? only : { ...only, sort, order };
  };
  /** Filters the clips by a value; if this filter is already set, removes it. */
  const toggle = <K extends 'findings' | 'failed' | 'excluded' | 'tag'>(key: K, value: ClipFilters[K]) => {
    const { [key]: before, ...others } = now;
    filters.value = before === value ? others : { ...others, [key]: value };
  };
  return (
    <>
      <p class="menu-title dim">Sort</p>
      {SORTS.map(([text, sort, order]) => (
        <MenuItem
          key={text}
          checked={(now.sort ?? 'name') === sort && (now.order ?? 'asc') === order}
          onSelect={() => sortBy(sort, order)}
        >
          {text}
        </MenuItem>
      ))}
      <p class="menu-title dim">Show only</p>
      <MenuItem checked={now.findings === 'true'} onSelect={() => toggle('findings', 'true')}>
        With findings
      </MenuItem>
      <MenuItem checked={now.failed === true} onSelect={() => toggle('failed', true)}>
        Conversion failed
      </MenuItem>
      <MenuItem checked={now.excluded === true} onSelect={() => toggle('excluded', true)}>
        Excluded
      </MenuItem>
      <MenuItem checked={now.excluded === false} onSelect={() => toggle('excluded', false)}>
        Not excluded
      </MenuItem>
      {tags.map((tag) => (
        <MenuItem key={tag} checked={now.tag === tag} onSelect={() => toggle('tag', tag)}>
          <span class="ellipsis">Tag: {tag}</span>
        </MenuItem>
      ))}
      <MenuItem
        disabled={Object.keys(now).every((key) => key === 'status')}
        onSelect={() => {
          filters.value = now.status === undefined ? {} : { status: now.status };
        }}
      >
        Reset
      </MenuItem>
      {set !== null && <MenuItem onSelect={() => void openMarksOfListed(set)}>Mark listed clips</MenuItem>}
    </>
  );
}

/** Returns the tags of the first TAG_PAGE clips of a dataset. */
function useTags(set: string | null): readonly string[] {
  const [tags, setTags] = useState<readonly string[]>([]);
  useEffect(() => {
    if (set === null) return;
    const stop = new AbortController();
    call('GET /api/data/clips', { query: { dataset: set, size: TAG_PAGE }, signal: stop.signal }).then(
      ({ clips }) => setTags([...new Set(clips.flatMap((clip) => clip.tags))].sort()),
      () => setTags([]), // the menu works without the tags
    );
    return () => stop.abort();
  }, [set]);
  return tags;
}
