import type { PlayOptions, PlaySession } from '../../../../src/protocol/schemas/play.ts';
import { Button, Segmented, Switch } from '../../ui/controls.tsx';
import { Slider } from '../../ui/fields.tsx';
import { fixed } from '../../ui/format.ts';
import { Term } from '../../ui/term.tsx';
import { ghostPlace, tinted } from '../../viewport/view-state.ts';
import { push, pushSpeed, setOptions, setPushSpeed, setTint } from './control-store.ts';
import { PUSH_MOST } from './session-control.ts';

/** Checkboxes that select what the scene shows in addition to the robots. */
export function ViewOptions({ options }: { readonly options: PlayOptions }) {
  return (
    <section class="section play-section" aria-label="View">
      <div class="play-head">
        <h3>View</h3>
      </div>
      <div class="play-row">
        <span class="dim">
          Ghost <Term of="reference" />
        </span>
        <Segmented
          label="Ghost"
          value={options.ghost}
          options={[
            ['off', 'Off'],
            ['overlay', 'Overlay'],
            ['beside', 'Beside'],
          ]}
          onChange={(ghost) => void setOptions({ ghost })}
        />
      </div>
      {options.ghost === 'overlay' && (
        <div class="play-row">
          <span class="dim">Place</span>
          <Segmented
            label="Place of the ghost"
            value={ghostPlace.value}
            options={[
              ['world', 'In the world'],
              ['robot', 'At the robot'],
            ]}
            onChange={(place) => {
              ghostPlace.value = place;
            }}
          />
        </div>
      )}
      <Switch
        label="Targets of key bodies"
        title="Marks where the reference has each key body"
        on={options.targets}
        onChange={(targets) => void setOptions({ targets })}
      />
      <Switch
        label="Contacts and forces"
        on={options.contacts}
        onChange={(contacts) => void setOptions({ contacts })}
      />
      <Switch
        label="Colour bodies by error"
        on={tinted.value && options.ghost !== 'off'}
        title="Distance of each body from the ghost, relative to the root (E)"
        onChange={setTint}
      />
    </section>
  );
}

/** Controls to push the robot of the focused environment. */
export function Disturb({ session }: { readonly session: PlaySession }) {
  const speed = pushSpeed.value;
  return (
    <section class="section play-section" aria-label="Disturb">
      <div class="play-head">
        <h3>Disturb</h3>
      </div>
      <div class="play-row">
        <span class="dim push-word">Push</span>
        <Slider
          label="Speed of the push"
          text={`${fixed(speed, 1)} m/s`}
          min={0.1}
          max={PUSH_MOST}
          step={0.1}
          value={speed}
          onInput={setPushSpeed}
        />
        <span class="num push-speed">
          {fixed(speed, 1)} <span class="dim">m/s</span>
        </span>
        <Button
          icon="push"
          title={`Pushes ${session.compare ? 'all robots' : `env ${session.focus}`} in a random direction (P)`}
          onClick={() => void push()}
        >
          Push
        </Button>
      </div>
    </section>
  );
}
