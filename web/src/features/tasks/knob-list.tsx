import { useEffect, useState } from 'preact/hooks';
import type { Knob } from '../../../../src/protocol/schemas/presets.ts';
import { Button, Segmented } from '../../ui/controls.tsx';
import { count, whole } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Empty } from '../../ui/states.tsx';
import { problems } from './check-store.ts';
import { draft } from './drafts-store.ts';
import { added, changes, edits, isChanged, isInvalid, knobs, query, sections, show } from './editor-store.ts';
import { ItemRows } from './knob-rows.tsx';
import type { Item, Section } from './sections.ts';
import { addedTerm, taskDialog } from './task-dialog-store.ts';
import { termPathOf } from './term-paths.ts';

function isTurned({ path }: Knob): boolean {
  return path in edits.value || path in (draft.value?.bad ?? {}) || added.value.has(termPathOf(path) ?? '');
}

/** The search field, the filter, and all knobs grouped by section. */
export function KnobList() {
  const editable = draft.value !== null;
  const words = query.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = (knob: Knob) => {
    const text = `${knob.path} ${knob.description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const shown = (item: Item) => {
    if (show.value === 'changed' && !isChanged(item)) return false;
    if (show.value === 'invalid' && !isInvalid(item)) return false;
    if (words.length === 0) return true;
    const text = `${item.path} ${item.description}`.toLowerCase();
    return words.every((word) => text.includes(word)) || [...item.main, ...item.more].some(wanted);
  };
  const narrowed = words.length > 0 || show.value !== 'all';
  const visible = sections.value
    .map((section) => ({ section, items: section.items.filter(shown) }))
    .filter(({ items }) => items.length > 0 || !narrowed);
  return (
    <>
      <div class={`knob-tools${problems.value.length > 0 ? ' wrong' : ''}`}>
        <span class="field grow">
          <Icon name="search" />
          <input
            id="knob-search"
            type="search"
            aria-label="Search settings"
            placeholder={`Search ${whole(knobs.value.size)} settings`}
            value={query.value}
            onInput={(event) => (query.value = event.currentTarget.value)}
          />
        </span>
        {editable && (
          <Segmented
            label="Which settings"
            value={show.value}
            options={[
              ['all', 'All'],
              ['changed', 'Changed', changes.value.length],
              ['invalid', 'Invalid', problems.value.length],
            ]}
            onChange={(next) => (show.value = next)}
          />
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard */}
      <section class="knob-scroll" aria-label="Settings" tabIndex={0}>
        {visible.map(({ section, items }) => (
          <KnobSection
            key={section.key}
            section={section}
            items={items}
            narrowed={narrowed}
            wanted={(knob) => wanted(knob) && (show.value !== 'changed' || isTurned(knob))}
            editable={editable}
          />
        ))}
        {visible.length === 0 && (
          <Empty icon="search" title={show.value === 'invalid' ? 'Every value is valid' : 'No matching settings'}>
            <Button
              kind="outline"
              onClick={() => {
                query.value = '';
                show.value = 'all';
              }}
            >
              Show all settings
            </Button>
          </Empty>
        )}
      </section>
    </>
  );
}

interface KnobSectionProps {
  readonly section: Section;
  readonly items: readonly Item[];
  readonly narrowed: boolean;
  readonly wanted: (knob: Knob) => boolean;
  readonly editable: boolean;
}

function KnobSection({ section, items, narrowed, wanted, editable }: KnobSectionProps) {
  const [folded, setFolded] = useState(!section.open);
  const holdsAdded = section.items.some(({ path }) => path === addedTerm.value);
  useEffect(() => {
    if (holdsAdded) setFolded(false);
  }, [holdsAdded]);
  const open = narrowed || !folded;
  const changed = section.items.filter(isChanged).length;
  const terms = section.items.filter(({ isTerm }) => isTerm).length;
  const { container } = section;
  return (
    <section class="knob-section" aria-label={section.title}>
      <header class="knob-head">
        <h3>
          <button type="button" class="knob-fold" aria-expanded={open} onClick={() => setFolded(open)}>
            <Icon name={open ? 'down' : 'right'} />
            {section.title}
            <span class="dim">{terms > 0 ? count(terms, 'term') : count(section.items.length, 'setting')}</span>
          </button>
        </h3>
        <span class="grow" />
        {changed > 0 && <span class="badge badge-accent">{changed} changed</span>}
        {editable && container !== null && (
          <Button
            small
            kind="quiet"
            icon="plus"
            onClick={() => (taskDialog.value = { kind: 'add-term', container, title: section.title })}
          >
            Add term
          </Button>
        )}
      </header>
      {open &&
        items.map((item) => (
          <ItemRows key={`${item.path}${added.value.has(item.path)}`} item={item} whole={narrowed} wanted={wanted} />
        ))}
    </section>
  );
}
