import type { Knob } from '../../../../src/protocol/schemas/presets.ts';
import { draft, setBadText, setKnob } from './drafts-store.ts';
import { parseText, valueText } from './knob-value.ts';
import { Picker } from './picker.tsx';
import type { Json } from './shared/edits.ts';

export interface KnobFieldProps {
  readonly knob: Knob;
  /** the current value, including the change of the draft */
  readonly value: Json;
  readonly readOnly: boolean;
  readonly invalid: boolean;
  readonly describedBy: string;
}

/** The input field of one knob. The text is checked while the user types. An invalid text stays in the field. */
export function KnobField({ knob, value, readOnly, invalid, describedBy }: KnobFieldProps) {
  const about = { 'aria-label': knob.path, 'aria-describedby': describedBy, disabled: readOnly };
  const standing = knob.value as Json;
  if (knob.type === 'boolean') {
    return (
      <input
        {...about}
        type="checkbox"
        role="switch"
        class="switch"
        checked={value === true}
        aria-checked={value === true}
        onChange={(event) => setKnob(knob.path, event.currentTarget.checked, standing)}
      />
    );
  }
  if (knob.type === 'enum') {
    return (
      <Picker
        {...about}
        value={String(value)}
        options={knob.enum ?? []}
        invalid={invalid}
        onChange={(next) => setKnob(knob.path, next, standing)}
      />
    );
  }
  const bad = draft.value?.bad[knob.path];
  const isText = knob.type === 'string' || knob.items === 'string';
  return (
    <span class={`field knob-field${invalid ? ' invalid' : ''}`}>
      <input
        {...about}
        type="text"
        class={isText ? '' : 'num'}
        inputMode={knob.type === 'number' || knob.type === 'integer' ? 'decimal' : undefined}
        value={bad?.text ?? valueText(value, knob.ordered === true)}
        placeholder={knob.nullable === true ? 'none' : undefined}
        aria-invalid={invalid}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => {
          const text = event.currentTarget.value;
          const parsed = parseText(knob, text);
          if ('problem' in parsed) setBadText(knob.path, text, parsed.problem);
          else setKnob(knob.path, parsed.value, standing);
        }}
      />
      {knob.unit !== undefined && knob.unit !== '1' && <span class="faint">{knob.unit}</span>}
    </span>
  );
}
