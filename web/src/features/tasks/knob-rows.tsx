import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Knob } from '../../../../src/protocol/schemas/presets.ts';
import { Badge, IconButton } from '../../ui/controls.tsx';
import { sentence } from '../../ui/format.ts';
import { problems } from './check-store.ts';
import { draft, removeTerm, reset } from './drafts-store.ts';
import { added, edits, isRemoved, moduleOf } from './editor-store.ts';
import { KnobField } from './knob-field.tsx';
import { badgeText } from './knob-value.ts';
import { type Item, knobName } from './sections.ts';
import { equal, type Json } from './shared/edits.ts';
import { addedTerm } from './task-dialog-store.ts';

export interface ItemRowsProps {
  readonly item: Item;
  /** true to show every knob, because a search is active */
  readonly whole: boolean;
  readonly wanted: (knob: Knob) => boolean;
}

/** The rows of a term, or the row of a knob outside of terms. */
export function ItemRows({ item, whole, wanted }: ItemRowsProps) {
  const [open, setOpen] = useState(false);
  const readOnly = draft.value === null;
  if (isRemoved(item.path)) return <RemovedRow item={item} />;
  const isTouched = ({ path }: Knob) =>
    path in edits.value || draft.value?.bad[path] !== undefined || problems.value.some((one) => one.path === path);
  const main = whole ? item.main.filter(wanted) : item.main;
  const rest = item.more.filter((knob) => open || isTouched(knob) || (whole && wanted(knob)));
  const rows = [...main, ...rest];
  const hidden = item.more.length - rest.length;
  const ofTerm = problems.value.find(({ path }) => path === item.path);
  return (
    <fieldset class="knob-item" aria-label={item.name}>
      {rows.map((knob, index) => (
        <KnobRow
          key={knob.path}
          item={item}
          knob={knob}
          first={index === 0}
          readOnly={readOnly}
          more={index === 0 && (open || hidden > 0) ? { open, hidden, toggle: () => setOpen(!open) } : null}
        />
      ))}
      {ofTerm !== undefined && <p class="knob-problem err">{ofTerm.text}</p>}
    </fieldset>
  );
}

function RemovedRow({ item }: { readonly item: Item }) {
  return (
    <fieldset class="knob-row changed" aria-label={item.name}>
      <span class="knob-name ellipsis">
        <s class="dim">{item.name}</s>
      </span>
      <span class="knob-text dim">
        <span class="ellipsis" title={item.description}>
          {sentence(item.description)}
        </span>
      </span>
      <span class="knob-badges">
        <Badge kind="accent">Removed</Badge>
      </span>
      <span class="knob-control" />
      <IconButton icon="reset" label={`Restore ${item.path}`} onClick={() => reset(item.path)} />
    </fieldset>
  );
}

interface KnobRowProps {
  readonly item: Item;
  readonly knob: Knob;
  /** true for the first row of the term, which shows the name of the term */
  readonly first: boolean;
  readonly readOnly: boolean;
  readonly more: { readonly open: boolean; readonly hidden: number; readonly toggle: () => void } | null;
}

function KnobRow({ item, knob, first, readOnly, more }: KnobRowProps) {
  const { path } = knob;
  const isSet = path in edits.value;
  const bad = draft.value?.bad[path];
  const standing = knob.value as Json;
  const value = isSet ? (edits.value[path] ?? null) : standing;
  const problem = problems.value.find((one) => one.path === path)?.text ?? null;
  const isAdded = added.value.has(item.path) && item.isTerm;
  const changed = isSet || bad !== undefined || (isAdded && first);
  const module = isSet ? null : moduleOf(knob);
  const note = `note-${path}`;
  const short = knobName(item, knob);
  const about = sentence(first ? item.description : knob.description);
  return (
    <>
      <div ref={useAdded(item, first)} class={`knob-row${changed ? ' changed' : ''}${first ? '' : ' follows'}`}>
        <span class="knob-name ellipsis" title={path}>
          {item.place !== '' && <span class="faint">{item.place} / </span>}
          <span class={first ? 'medium' : 'visually-hidden'}>{item.name}</span> <span class="dim">{short}</span>
        </span>
        <span class="knob-text dim" id={note}>
          <span class="ellipsis" title={about}>
            {about}
          </span>
          {more !== null && (
            <button type="button" class="knob-more" aria-expanded={more.open} onClick={more.toggle}>
              {more.open ? 'Fewer' : `${more.hidden} more`}
              <span class="visually-hidden"> settings of {item.name}</span>
            </button>
          )}
        </span>
        <span class="knob-badges">
          {isAdded && first && <Badge kind="accent">Added</Badge>}
          {(isSet || bad !== undefined) && (!isAdded || !equal(value, standing)) && (
            <span class="badge badge-accent num">was {badgeText(standing, knob.ordered === true)}</span>
          )}
          {module !== null && (
            <span
              class="badge badge-module"
              title={`was ${badgeText(knob.default, knob.ordered === true)} in the base task`}
            >
              <span class="dot dot-accent" aria-hidden="true" />
              {module}
            </span>
          )}
        </span>
        <span class="knob-control">
          <KnobField knob={knob} value={value} readOnly={readOnly} invalid={problem !== null} describedBy={note} />
        </span>
        {readOnly ? (
          <span />
        ) : isSet || bad !== undefined ? (
          <IconButton icon="reset" label={`Reset ${path}`} onClick={() => reset(path)} />
        ) : isAdded && first ? (
          <IconButton icon="reset" label={`Remove the added ${item.path}`} onClick={() => reset(item.path)} />
        ) : item.isTerm && first ? (
          <IconButton
            icon="trash"
            class="knob-remove"
            label={`Remove ${item.path}`}
            onClick={() => removeTerm(item.path)}
          />
        ) : (
          <span />
        )}
      </div>
      {problem !== null && <p class="knob-problem err">{problem}</p>}
    </>
  );
}

/** Scrolls the first row of a term that was just added into view and focuses the field of its value. @returns reference
 *  to the row */
function useAdded({ path }: Item, first: boolean): RefObject<HTMLDivElement | null> {
  const row = useRef<HTMLDivElement>(null);
  const wanted = first && addedTerm.value === path;
  useEffect(() => {
    if (!wanted || row.current === null) return;
    row.current.scrollIntoView({ block: 'center' });
    row.current.querySelector<HTMLElement>('.knob-control :is(input, select, button)')?.focus({ preventScroll: true });
    addedTerm.value = null;
  }, [wanted]);
  return row;
}
