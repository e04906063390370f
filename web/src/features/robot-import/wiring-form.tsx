import type { RobotSpec } from '../../../../src/protocol/schemas/robots.ts';
import { Icon } from '../../ui/icon.tsx';
import { layout } from '../../ui/layout.ts';
import { Term } from '../../ui/term.tsx';
import { changeWiring } from './draft-store.ts';
import type { Inspection } from './robot-draft.ts';
import { footName, setFoot } from './wiring.ts';

export interface ReviewProps {
  readonly found: Inspection;
  readonly spec: RobotSpec;
}

const LEAST_FEET = 2;

/** Anchor, feet and key bodies, each with the reason of the suggestion. */
export function WiringForm({ found, spec, onBodies }: ReviewProps & { readonly onBodies: () => void }) {
  const { wiring } = spec;
  const names = found.bodies.map(({ name }) => name);
  const places = Math.max(LEAST_FEET, wiring.feet.length);
  return (
    <section class="import-wiring" aria-labelledby="import-wiring-title">
      <div class="import-row">
        <h3 id="import-wiring-title">Wiring</h3>
        <span class="grow" />
        <span class="dim ellipsis">
          {layout.value === 'phone'
            ? 'Easier on a larger screen.'
            : `${spec === found.spec ? 'Suggested from the model. ' : ''}Click a body in the view to change it.`}
        </span>
      </div>
      <div class="import-wire">
        <span class="dim">
          Anchor <Term of="anchor" />
        </span>
        <BodySelect
          label="Anchor"
          dot="anchor"
          value={wiring.anchor}
          names={names}
          onChange={(anchor) => anchor !== null && changeWiring({ ...wiring, anchor })}
        />
        <Why said={briefly(found.reasons.anchor)} whole={found.reasons.anchor} />
      </div>
      <div class="import-wire">
        <span class="dim">
          Feet <Term of="feet" />
        </span>
        <span class="import-feet">
          {Array.from({ length: places }, (_, place) => (
            <BodySelect
              key={place}
              label={footName(place, places)}
              dot="foot"
              value={wiring.feet[place] ?? null}
              names={names}
              none
              onChange={(body) => changeWiring(setFoot(wiring, place, body))}
            />
          ))}
        </span>
        <Why said={found.wiring.feet.length === 0 ? 'none found' : 'lowest ends'} whole={found.reasons.feet} />
      </div>
      <div class="import-wire">
        <span class="dim">
          Key bodies <Term of="keybody" />
        </span>
        <button type="button" class="import-keys" onClick={onBodies}>
          <span class="dot dot-keybody" />
          <span class="num">
            {wiring.keybodies.length} of {names.length} bodies
          </span>
          <span class="grow" />
          <Icon name="right" small />
        </button>
        <Why said="ends, knees, elbows" whole={found.reasons.keybodies} />
      </div>
    </section>
  );
}

/** Shortens a reason: `torso_link: both arms attach here, its name says trunk` → `both arms attach here` */
const briefly = (reason: string) => reason.replace(/^[^:]*: /, '').split(', ')[0]!;

/** Short reason of a suggestion; the full text appears on hover and among the warnings. */
function Why({ said, whole }: { readonly said: string; readonly whole: string }) {
  return (
    <span class="import-why" title={whole}>
      {said}
    </span>
  );
}

interface BodySelectProps {
  readonly label: string;
  readonly dot: 'anchor' | 'foot';
  readonly value: string | null;
  readonly names: readonly string[];
  /** offers an entry without a body */
  readonly none?: boolean;
  readonly onChange: (body: string | null) => void;
}

function BodySelect({ label, dot, value, names, none = false, onChange }: BodySelectProps) {
  return (
    <span class="select boxed import-select">
      <span class={`dot dot-${dot}${value === null ? ' dot-hollow' : ''}`} />
      <select
        class="mono"
        aria-label={label}
        value={value ?? ''}
        onChange={(event) => onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)}
      >
        {none && <option value="">none</option>}
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <Icon name="down" small />
    </span>
  );
}
