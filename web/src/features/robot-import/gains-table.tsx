import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { Joint, JointSpec } from '../../../../src/protocol/schemas/robots.ts';
import { Button } from '../../ui/controls.tsx';
import { Checkbox } from '../../ui/fields.tsx';
import { fixed } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Term } from '../../ui/term.tsx';
import { changeJoints } from './draft-store.ts';
import { swingOf, withScale, withSwing } from './gains.ts';
import { LoadedGainsNote, LoadGainsMenu } from './load-gains-menu.tsx';
import { NumberCell, RangeLine, widestRange } from './number-cell.tsx';
import type { ReviewProps } from './wiring-form.tsx';

/** Names of the joints that "frequency and damping" applies to. Empty: all shown joints. */
const ticked = signal<ReadonlySet<string>>(new Set());

/** Edits the gains of every actuated joint: one field per gain, or many joints together by natural frequency and
 *  damping ratio. */
export function GainsTable({ found, spec }: ReviewProps) {
  const [search, setSearch] = useState('');
  const byName = new Map(found.joints.map((joint) => [joint.name, joint]));
  const widest = widestRange(found.joints);
  const words = search.trim().toLowerCase();
  const shown = Object.keys(spec.joints).filter((name) => name.toLowerCase().includes(words));
  const chosen = shown.filter((name) => ticked.value.has(name));
  const tick = (names: readonly string[], on: boolean) => {
    const next = new Set(ticked.value);
    for (const name of names) on ? next.add(name) : next.delete(name);
    ticked.value = next;
  };
  return (
    <>
      <div class="import-tools">
        <span class="field import-filter">
          <Icon name="search" />
          <input
            type="search"
            aria-label="Filter joints"
            placeholder="Filter joints"
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
        </span>
        <span class="dim num">{chosen.length === 0 ? `all ${shown.length}` : `${chosen.length} selected`}</span>
        <BySwing names={chosen.length === 0 ? shown : chosen} />
        <LoadGainsMenu />
      </div>
      <LoadedGainsNote />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard */}
      <div class="import-scroll" tabIndex={0}>
        <table class="import-table import-gains">
          <thead>
            <tr>
              <th class="import-tick">
                <Checkbox
                  label="Select all joints"
                  checked={chosen.length === 0 ? false : chosen.length === shown.length ? true : null}
                  onChange={(on) => tick(shown, on)}
                />
              </th>
              <th>Joint</th>
              <th class="import-range">Range and default</th>
              <th class="right">Default</th>
              <th class="right">kp</th>
              <th class="right">kd</th>
              <th class="right">Armature</th>
              <th class="right">Effort</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((name) => (
              <GainRow
                key={name}
                name={name}
                joint={spec.joints[name]!}
                found={byName.get(name)}
                widest={widest}
                source={found.gains[name]?.source}
                on={ticked.value.has(name)}
                onTick={(on) => tick([name], on)}
              />
            ))}
          </tbody>
        </table>
        {shown.length === 0 && <p class="dim import-none">No joint matches.</p>}
      </div>
    </>
  );
}

function BySwing({ names }: { readonly names: readonly string[] }) {
  const [frequency, setFrequency] = useState('10');
  const [ratio, setRatio] = useState('2.0');
  const swing = { frequency: Number(frequency.replace(',', '.')), ratio: Number(ratio.replace(',', '.')) };
  const wrong =
    frequency.trim() === '' || !(swing.frequency > 0 && swing.frequency <= 200)
      ? 'Frequency: more than 0, 200 Hz at most'
      : ratio.trim() === '' || !(swing.ratio >= 0 && swing.ratio <= 20)
        ? 'Damping ratio: 0 to 20'
        : null;
  return (
    <form
      class="import-swing"
      onSubmit={(event) => {
        event.preventDefault();
        if (wrong === null) changeJoints(names, (joint) => withSwing(joint, swing));
      }}
    >
      <Term of="gains" />
      <label>
        <span class="dim">Frequency</span>
        <span class="field">
          <input
            type="text"
            inputMode="decimal"
            class="num"
            aria-label="Natural frequency, Hz"
            value={frequency}
            onInput={(event) => setFrequency(event.currentTarget.value)}
          />
          <span class="faint">Hz</span>
        </span>
      </label>
      <label>
        <span class="dim">Damping</span>
        <span class="field">
          <input
            type="text"
            inputMode="decimal"
            class="num"
            aria-label="Damping ratio"
            value={ratio}
            onInput={(event) => setRatio(event.currentTarget.value)}
          />
        </span>
      </label>
      <Button
        disabled={wrong !== null || names.length === 0}
        title={wrong ?? 'Sets kp and kd from the armature of each joint'}
        onClick={() => changeJoints(names, (joint) => withSwing(joint, swing))}
      >
        Apply
      </Button>
    </form>
  );
}

/** Returns the joint's name without the suffix `_joint`. */
const shortName = (name: string) => name.replace(/(.)[_-]joint$/i, '$1');

interface GainRowProps {
  readonly name: string;
  readonly joint: JointSpec;
  readonly found: Joint | undefined;
  /** rad or m */
  readonly widest: number;
  readonly source: string | undefined;
  readonly on: boolean;
  readonly onTick: (on: boolean) => void;
}

type Gain = 'stiffness' | 'damping' | 'armature' | 'effort_limit';

function GainRow({ name, joint, found, widest, source, on, onTick }: GainRowProps) {
  const swing = swingOf(joint);
  const why = [
    ...(swing === null
      ? []
      : [
          `natural frequency ${fixed(swing.frequency, 1)} Hz, damping ratio ${fixed(swing.ratio, 1)}, with the armature as inertia`,
        ]),
    ...(source === undefined ? [] : [`suggested: ${source}`]),
  ].join('; ');
  const cell = (key: Gain, label: string, digits: number) => (
    <td class="right">
      <NumberCell
        label={`${label} of ${name}`}
        value={joint[key]}
        digits={joint[key] >= 100 ? Math.min(1, digits) : digits}
        least={key === 'effort_limit' ? 1e-6 : 0}
        {...(key === 'effort_limit' ? { unit: found?.unit === 'm' ? 'N' : 'Nm' } : {})}
        title={why}
        onChange={(value) => changeJoints([name], (now) => withScale({ ...now, [key]: value }))}
      />
    </td>
  );
  return (
    <tr class={on ? 'on' : ''}>
      <td class="import-tick">
        <Checkbox label={`Select ${name}`} checked={on} onChange={onTick} />
      </td>
      <td class="mono ellipsis" title={name}>
        {shortName(name)}
      </td>
      <td class="import-range">
        <RangeLine lower={found?.lower ?? null} upper={found?.upper ?? null} at={joint.default} widest={widest} />
      </td>
      <td class="right">
        <NumberCell
          label={`Default of ${name}, ${found?.unit ?? 'rad'}`}
          value={joint.default}
          onChange={(value) => changeJoints([name], (now) => ({ ...now, default: value }))}
        />
      </td>
      {cell('stiffness', 'kp', 2)}
      {cell('damping', 'kd', 2)}
      {cell('armature', 'Armature', 4)}
      {cell('effort_limit', 'Effort limit', 0)}
    </tr>
  );
}
