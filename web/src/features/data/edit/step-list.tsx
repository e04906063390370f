import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { EditStep } from '../../../../../src/protocol/schemas/edit.ts';
import { call } from '../../../net/api.ts';
import { IconButton } from '../../../ui/controls.tsx';
import { sentence } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { layout } from '../../../ui/layout.ts';
import { numberIn } from '../../../ui/number-field.ts';
import type { ClipEditor } from './clip-editor.ts';
import { fieldsOf, hintOf, numberOf, type StepField, titleOf, withNumber } from './step-kinds.ts';

/** Lists the steps in order, with their number fields. */
export function StepList({ edit }: { readonly edit: ClipEditor }) {
  const steps = edit.steps.value;
  const problem = edit.error.value;
  const list = useRef<HTMLOListElement>(null);
  const known = useRef(steps.length);
  useEffect(() => {
    if (steps.length > known.current) list.current?.lastElementChild?.scrollIntoView({ block: 'nearest' });
    known.current = steps.length;
  }, [steps.length]);
  if (steps.length === 0)
    return (
      <p class="dim edit-hint">
        {layout.value === 'phone'
          ? 'Add a step to change the clip.'
          : 'Drag the handles of the timeline to trim the clip, or add a step.'}
      </p>
    );
  const replace = (index: number, step: EditStep) => edit.change(steps.map((old, k) => (k === index ? step : old)));
  const move = (index: number, by: 1 | -1) => {
    const next = [...steps];
    next.splice(index + by, 0, ...next.splice(index, 1));
    edit.change(next);
  };
  return (
    <ol class="step-list" aria-label="Steps" ref={list}>
      {steps.map((step, index) => (
        <li class="step" key={index}>
          <div class="step-head">
            <span class="dim num">{index + 1}</span>
            <span class="medium grow ellipsis">{titleOf(step)}</span>
            <span class="turned">
              <IconButton icon="down" label="Move up" disabled={index === 0} onClick={() => move(index, -1)} />
            </span>
            <IconButton
              icon="down"
              label="Move down"
              disabled={index === steps.length - 1}
              onClick={() => move(index, 1)}
            />
            <IconButton
              icon="trash"
              label="Remove this edit"
              onClick={() => edit.change(steps.filter((_, k) => k !== index))}
            />
          </div>
          <p class="field-note">{hintOf(step)}</p>
          <div class="step-fields">
            {step.append && (
              <ClipField
                dataset={edit.clip.dataset}
                value={step.append.clip}
                onCommit={(clip) => replace(index, { append: { blend_s: step.append?.blend_s ?? 0, clip } })}
              />
            )}
            {fieldsOf(step).map((field) => (
              <NumberBox
                key={field.label}
                field={field}
                value={numberOf(step, field)}
                onCommit={(value) => replace(index, withNumber(step, field, value))}
              />
            ))}
          </div>
          {problem?.step === index && <StepError text={problem.text} />}
        </li>
      ))}
    </ol>
  );
}

/** Why a step cannot be applied. */
export function StepError({ text }: { readonly text: string }) {
  const note = useRef<HTMLParagraphElement>(null);
  useEffect(() => note.current?.scrollIntoView({ block: 'nearest' }), [text]);
  return (
    <p class="note note-err" role="alert" ref={note}>
      <Icon name="warn" />
      {text}
    </p>
  );
}

interface NumberBoxProps {
  readonly field: StepField;
  readonly value: number;
  readonly onCommit: (value: number) => void;
}

function NumberBox({ field, value, onCommit }: NumberBoxProps) {
  const shown = String(Number(value.toFixed(3)));
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const { value: typed, error } = numberIn(text, field.least, field.most);
  return (
    <label class={`step-field${error === null ? '' : ' invalid'}`}>
      <span class="dim">{field.label}</span>
      <span class="field">
        <input
          type="text"
          inputMode="decimal"
          class="num"
          value={text}
          aria-invalid={error !== null}
          onInput={(event) => setText(event.currentTarget.value)}
          onChange={() => {
            if (text.trim() === '') setText(shown);
            else if (typed !== null && typed !== value) onCommit(typed);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            setText(shown);
          }}
        />
        <span class="faint">{field.unit}</span>
      </span>
      {error !== null && <span class="field-note err">{sentence(error)}</span>}
    </label>
  );
}

interface ClipFieldProps {
  readonly dataset: string;
  readonly value: string;
  readonly onCommit: (clip: string) => void;
}

/** Number of clips that the field suggests. */
const SUGGESTED = 20;

/** Field for the name of a clip of the dataset. Suggests clips whose names contain the typed text. */
function ClipField({ dataset, value, onCommit }: ClipFieldProps) {
  const list = useId();
  const [text, setText] = useState(value);
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    const stop = new AbortController();
    const q = text === value ? '' : text.trim();
    call('GET /api/data/clips', { query: { dataset, q, size: SUGGESTED }, signal: stop.signal }).then(
      ({ clips }) => setNames(clips.map(({ name }) => name)),
      () => setNames([]), // the name can be typed without suggestions
    );
    return () => stop.abort();
  }, [dataset, text, value]);
  return (
    <label class="step-field wide">
      <span class="dim">Clip</span>
      <span class="field">
        <input
          type="text"
          value={text}
          list={list}
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => setText(event.currentTarget.value)}
          onChange={() => {
            const name = text.trim();
            if (name === '') setText(value);
            else if (name !== value) onCommit(name);
          }}
        />
      </span>
      <datalist id={list}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}
