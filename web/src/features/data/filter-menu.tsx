import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../net/api.ts';
import { dataDialog } from '../../ui/dialogs.ts';
import { Icon } from '../../ui/icon.tsx';
import { MenuItem } from '../../ui/menu.tsx';
import { dataset, filters, listing } from './data-store.ts';
import type { ClipFilters } from './dataset-browser.ts';
import { invertListed, SELECT_MOST, selectListed } from './listed-clips.ts';
import { onlyFilters, SORTS, sortedBy } from './sorts.ts';

/** Number of clips whose tags the menu offers. */
const TAG_PAGE = 1000;

/** Items of the menu for sorting and filtering the clips. */
export function FilterMenu() {
  const now = filters.value;
  const set = dataset.value?.name ?? null;
  const tags = useTags(set);
  const { total } = listing.value;
  const selectable = total !== null && total > 0 && total <= SELECT_MOST;
  /** Filters the clips by a value; if this filter is already set, removes it. */
  const toggle = <K extends 'findings' | 'failed' | 'excluded' | 'tag'>(key: K, value: ClipFilters[K]) => {
    const { [key]: before, ...others } = now;
    filters.value = before === value ? others : { ...others, [key]: value };
  };
  const title = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The code of the menu arrives after the menu opened, so the menu could not focus its first item.
    title.current?.parentElement?.querySelector<HTMLElement>('[role^=menuitem]')?.focus();
  }, []);
  return (
    <>
      <p class="menu-title dim" ref={title}>
        Sort
      </p>
      {SORTS.map(([text, sort, order]) => (
        <MenuItem
          key={text}
          checked={(now.sort ?? 'name') === sort && (now.order ?? 'asc') === order}
          onSelect={() => (filters.value = sortedBy(now, sort, order))}
        >
          <Mark on={(now.sort ?? 'name') === sort && (now.order ?? 'asc') === order} />
          {text}
        </MenuItem>
      ))}
      <p class="menu-title dim">Show only</p>
      <MenuItem checked={now.findings === 'true'} onSelect={() => toggle('findings', 'true')}>
        <Mark on={now.findings === 'true'} />
        With findings
      </MenuItem>
      <MenuItem checked={now.failed === true} onSelect={() => toggle('failed', true)}>
        <Mark on={now.failed === true} />
        Conversion failed
      </MenuItem>
      <MenuItem checked={now.excluded === true} onSelect={() => toggle('excluded', true)}>
        <Mark on={now.excluded === true} />
        Excluded
      </MenuItem>
      <MenuItem checked={now.excluded === false} onSelect={() => toggle('excluded', false)}>
        <Mark on={now.excluded === false} />
        Not excluded
      </MenuItem>
      {tags.map((tag) => (
        <MenuItem key={tag} checked={now.tag === tag} onSelect={() => toggle('tag', tag)}>
          <Mark on={now.tag === tag} />
          <span class="ellipsis">Tag: {tag}</span>
        </MenuItem>
      ))}
      <MenuItem
        disabled={now.sort === undefined && Object.keys(onlyFilters(now)).length === 0}
        onSelect={() => (filters.value = now.status === undefined ? {} : { status: now.status })}
      >
        <Mark on={false} />
        Reset order and filters
      </MenuItem>
      <p class="menu-title dim">Select</p>
      <MenuItem disabled={!selectable} onSelect={() => void selectListed()}>
        <Mark on={false} />
        All listed clips
      </MenuItem>
      <MenuItem disabled={!selectable} onSelect={() => void invertListed()}>
        <Mark on={false} />
        Invert selection
      </MenuItem>
      {set !== null && (
        <MenuItem onSelect={() => (dataDialog.value = { kind: 'pick', dataset: set })}>
          <Mark on={false} />
          Best by score…
        </MenuItem>
      )}
    </>
  );
}

function Mark({ on }: { readonly on: boolean }) {
  return <span class="menu-check">{on && <Icon name="check" />}</span>;
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
