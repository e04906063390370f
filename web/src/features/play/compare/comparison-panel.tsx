import './comparison.css';
import { useState } from 'preact/hooks';
import type { Errors } from '../../../../../src/protocol/schemas/evaluation.ts';
import type { PlayComparison, PlaySession } from '../../../../../src/protocol/schemas/play.ts';
import { Button, Segmented } from '../../../ui/controls.tsx';
import { fixed } from '../../../ui/format.ts';
import { StateShape } from '../../../ui/icon.tsx';
import { Picker } from '../../../ui/picker.tsx';
import { arrange, comparing, endComparison, openCompare } from '../compare-store.ts';
import { focusEnv } from '../control-store.ts';
import { session } from '../session-store.ts';
import { entryName } from '../shared/entry-name.ts';

type Entry = PlayComparison['entries'][number];

/** Tracking errors by name, each with title, unit and number of decimals. */
const ERRORS: Readonly<Record<keyof Errors, readonly [title: string, unit: string, decimals: number]>> = {
  body_pos_local: ['Key bodies, aligned', 'm', 3],
  body_pos: ['Key bodies, world', 'm', 3],
  body_rot: ['Key bodies, rotation', 'rad', 3],
  joint_pos: ['Joint position', 'rad', 3],
  joint_vel: ['Joint velocity', 'rad/s', 2],
  anchor_pos: ['Anchor', 'm', 3],
  anchor_rot: ['Anchor, rotation', 'rad', 3],
};

/** Shows the running comparison in the left panel of the area Play: its policies with falls, errors and differences,
 *  and the arrangement of the robots. */
export function ComparisonPanel() {
  const now = session.value;
  const [error, setError] = useState<keyof Errors>('body_pos_local');
  if (now === null || now.compare === null) return null;
  const { entries, layout } = now.compare;
  return (
    <section class="section play-section comparison" aria-label="Comparison">
      <div class="play-head">
        <h3>Comparison</h3>
        <span class="comparison-actions">
          <Button kind="quiet" small title="Choose other policies (X)" onClick={() => openCompare()}>
            Change
          </Button>
          <Button
            kind="quiet"
            small
            title={`Plays ${entryName(entries, 0)} alone`}
            onClick={() => void endComparison(now)}
          >
            End
          </Button>
        </span>
      </div>
      <Table now={now} entries={entries} error={error} />
      <Picker label="Error over the last 10 s" value={error} onChange={(next) => setError(next as keyof Errors)}>
        {Object.entries(ERRORS).map(([name, [title, unit]]) => (
          <option key={name} value={name}>
            {title}, {unit}
          </option>
        ))}
      </Picker>
      <div class="play-row">
        <span class="dim">Layout</span>
        <Segmented
          label="Layout"
          value={layout}
          options={[
            ['beside', 'Beside'],
            ['overlay', 'Overlay'],
          ]}
          onChange={(next) => {
            if (!comparing.peek()) void arrange(now, next);
          }}
        />
      </div>
    </section>
  );
}

interface TableProps {
  readonly now: PlaySession;
  readonly entries: readonly Entry[];
  readonly error: keyof Errors;
}

function Table({ now, entries, error }: TableProps) {
  const [, unit, decimals] = ERRORS[error];
  const first = entries[0]?.errors?.[error] ?? Number.NaN;
  return (
    <table class="comparison-table">
      <caption class="visually-hidden">Policies in lock step: falls, errors and differences from the first</caption>
      <thead>
        <tr>
          <th scope="col">Policy</th>
          <th scope="col" class="num" title="Falls / episodes since the clip was chosen">
            Falls
          </th>
          <th scope="col" class="num">
            Error, {unit}
          </th>
          <th scope="col" class="num" title={`Difference from ${entryName(entries, 0)}`}>
            Δ to 1st
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry, index) => (
          <Row
            key={entry.env}
            entry={entry}
            name={entryName(entries, index)}
            focused={now.focus === entry.env}
            value={entry.errors?.[error] ?? Number.NaN}
            first={index === 0 ? null : first}
            decimals={decimals}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly entry: Entry;
  readonly name: string;
  readonly focused: boolean;
  readonly value: number;
  /** error of the first policy, from which the difference is computed; null for the first policy itself */
  readonly first: number | null;
  readonly decimals: number;
}

function Row({ entry, name, focused, value, first, decimals }: RowProps) {
  const { env, run, checkpoint, falls, episodes, down } = entry;
  const difference = first === null ? Number.NaN : value - first;
  const known = Number.isFinite(difference);
  return (
    <tr class={focused ? 'on' : ''}>
      <th scope="row">
        <button
          type="button"
          class="comparison-name"
          aria-pressed={focused}
          title={`${run} · ${checkpoint === '' ? 'zero action' : checkpoint}`}
          onClick={() => void focusEnv(env)}
        >
          <span class={`dot dot-c${env + 1}`} aria-hidden="true" />
          <span class="ellipsis">{name}</span>
          {down && (
            <span class="comparison-down" title="Down: waits for the others">
              <StateShape kind="error" />
              <span class="visually-hidden">down</span>
            </span>
          )}
        </button>
      </th>
      <td class="num">
        {falls}
        {/* the episode of a robot that is down has ended for it, but is counted when all have ended */}
        <span class="dim">/{episodes + Number(down)}</span>
      </td>
      <td class="num">{fixed(value, decimals)}</td>
      <td class={`num${known && difference < 0 ? ' better' : known && difference > 0 ? ' worse' : ''}`}>
        {first === null ? '' : known ? `${difference > 0 ? '+' : ''}${fixed(difference, decimals)}` : '–'}
      </td>
    </tr>
  );
}
