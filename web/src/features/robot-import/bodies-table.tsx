import { Checkbox } from '../../ui/fields.tsx';
import { fixed } from '../../ui/format.ts';
import { changeWiring } from './draft-store.ts';
import { clickedBody, litBody } from './draft-view-store.ts';
import { setFoot, toggleKeybody } from './wiring.ts';
import type { ReviewProps } from './wiring-form.tsx';

/** Every body with its role in tracking. */
export function BodiesTable({ found, spec }: ReviewProps) {
  const { wiring } = spec;
  const order = found.bodies.map(({ name }) => name);
  const keys = new Set(wiring.keybodies);
  const feet = new Set(wiring.feet);
  const lit = clickedBody.value?.name ?? null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
    <div class="import-scroll" tabIndex={0}>
      <table class="import-table import-bodies">
        <thead>
          <tr>
            <th>Body</th>
            <th>Parent</th>
            <th class="right">Mass</th>
            <th class="mid">Key body</th>
            <th class="mid">Anchor</th>
            <th class="mid">Foot</th>
          </tr>
        </thead>
        <tbody>
          {found.bodies.map(({ name, parent, mass }) => (
            <tr
              key={name}
              class={name === lit ? 'on' : ''}
              onMouseEnter={() => (litBody.value = name)}
              onMouseLeave={() => (litBody.value = null)}
            >
              <td class="mono ellipsis" title={name}>
                {name}
              </td>
              <td class="mono dim ellipsis" title={parent ?? undefined}>
                {parent ?? '–'}
              </td>
              <td class="right num">
                {fixed(mass, 2)} <span class="dim">kg</span>
              </td>
              <td class="mid">
                <Checkbox
                  label={`${name} is a key body`}
                  checked={keys.has(name)}
                  onChange={() => changeWiring(toggleKeybody(wiring, name, order))}
                />
              </td>
              <td class="mid">
                <input
                  type="radio"
                  name="anchor-body"
                  aria-label={`${name} is the anchor`}
                  checked={wiring.anchor === name}
                  onChange={() => changeWiring({ ...wiring, anchor: name })}
                />
              </td>
              <td class="mid">
                <Checkbox
                  label={`${name} is a foot`}
                  checked={feet.has(name)}
                  onChange={(on) =>
                    changeWiring(
                      on ? setFoot(wiring, wiring.feet.length, name) : setFoot(wiring, wiring.feet.indexOf(name), null),
                    )
                  }
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
