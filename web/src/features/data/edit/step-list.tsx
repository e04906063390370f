import { useEffect, useState } from 'preact/hooks';
import type { EditStep } from '../../../../../src/protocol/schemas/edit.ts';
import { IconButton } from '../../../ui/controls.tsx';
import { numberIn } from '../../../ui/number-field.ts';
import type { ClipEditor } from './clip-editor.ts';
import { fieldsOf, numberOf, type StepField, titleOf, withNumber } from './step-kinds.ts';

/** Lists the steps in order, with their number fields. */
export function StepList({ edit }: { readonly edit: ClipEditor }) {
  const steps = edit.steps.value;
  if (steps.length === 0)
    return <p class="dim edit-hint">Drag the handles of the timeline to trim the clip, or add a step.</p>;
  const replace = (index: number, step: EditStep) => edit.change(steps.map((old, k) => (k === index ? step : old)));
  const move = (index: number, by: 1 | -1) => {
    const next = [...steps];
    next.splice(index + by, 0, ...next.splice(index, 1));
    edit.change(next);
  };
  return (
    <ol class="step-list" aria-label="Steps">
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
              label="Remove the step"
              onClick={() => edit.change(steps.filter((_, k) => k !== index))}
            />
          </div>
          <div class="step-fields">
            {step.append && (
              <ClipField
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
        </li>
      ))}
    </ol>
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
    <label class={`step-field${error === null ? '' : ' invalid'}`} title={error ?? undefined}>
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
            if (typed === null) setText(shown);
            else if (typed !== value) onCommit(typed);
          }}
        />
        <span class="faint">{field.unit}</span>
      </span>
    </label>
  );
}

interface ClipFieldProps {
  readonly value: string;
  readonly onCommit: (clip: string) => void;
}

function ClipField({ value, onCommit }: ClipFieldProps) {
  return (
    <label class="step-field wide">
      <span class="dim">Clip</span>
      <span class="field">
        <input
          type="text"
          value={value}
          spellcheck={false}
          onChange={(event) => {
            const name = event.currentTarget.value.trim();
            if (name !== '' && name !== value) onCommit(name);
            else event.currentTarget.value = value;
          }}
        />
      </span>
    </label>
  );
}
