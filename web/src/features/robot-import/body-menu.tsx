import { useEffect, useRef } from 'preact/hooks';
import type { RobotSpec } from '../../../../src/protocol/schemas/robots.ts';
import { fixed } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { MenuItem } from '../../ui/menu.tsx';
import { changeWiring, inspection, spec } from './draft-store.ts';
import { type ClickedBody, clickedBody } from './draft-view-store.ts';
import type { Inspection } from './robot-draft.ts';
import { footName, setFoot, toggleKeybody } from './wiring.ts';

const WIDTH = 200;
const HEIGHT = 190;
const GAP = 12;

/** Menu of a body that was clicked in the scene: sets its role in tracking. */
export function BodyMenu() {
  const clicked = clickedBody.value;
  const now = spec.value;
  const found = inspection.value;
  if (clicked === null || now === null || found === null) return null;
  return <OpenMenu key={clicked.name} clicked={clicked} spec={now} found={found} />;
}

interface OpenMenuProps {
  readonly clicked: ClickedBody;
  readonly spec: RobotSpec;
  readonly found: Inspection;
}

function OpenMenu({ clicked: { name, x, y }, spec: { wiring }, found }: OpenMenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const former = useRef<Element | null>(document.activeElement);
  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
  const close = () => {
    clickedBody.value = null;
    if (former.current instanceof HTMLElement) former.current.focus();
  };
  useEffect(() => {
    items()[0]?.focus();
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && menu.current?.contains(event.target) !== true) clickedBody.value = null;
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, []);
  const body = found.bodies.find((one) => one.name === name);
  if (body === undefined) return null;
  const order = found.bodies.map((one) => one.name);
  const places = Math.max(2, wiring.feet.length);
  const isKey = wiring.keybodies.includes(name);
  const isAnchor = wiring.anchor === name;
  return (
    <div
      ref={menu}
      class="menu body-menu"
      role="menu"
      tabIndex={-1}
      aria-label={`Wiring of ${name}`}
      style={{
        left: `max(8px, min(${x + GAP}px, 100% - ${WIDTH + GAP}px))`,
        top: `max(8px, min(${y - GAP}px, 100% - ${HEIGHT}px))`,
        width: `${WIDTH}px`,
      }}
      onClick={close}
      onKeyDown={(event) => {
        const list = items();
        const at = list.indexOf(document.activeElement as HTMLElement);
        if (event.key === 'Escape') close();
        else if (event.key === 'ArrowDown') list[(at + 1) % list.length]?.focus();
        else if (event.key === 'ArrowUp') list[(at - 1 + list.length) % list.length]?.focus();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <p class="body-menu-head">
        <span class="mono ellipsis grow">{name}</span>
        <span class="dim num">{fixed(body.mass, 2)} kg</span>
      </p>
      <MenuItem checked={isKey} onSelect={() => changeWiring(toggleKeybody(wiring, name, order))}>
        <span class="dot dot-keybody" />
        <span class="grow">Key body</span>
        {isKey && <Icon name="check" small />}
      </MenuItem>
      <MenuItem checked={isAnchor} onSelect={() => changeWiring({ ...wiring, anchor: name })}>
        <span class="dot dot-anchor" />
        <span class="grow">{isAnchor ? 'Anchor' : 'Make anchor'}</span>
        {isAnchor && <Icon name="check" small />}
      </MenuItem>
      {Array.from({ length: places }, (_, place) => {
        const is = wiring.feet[place] === name;
        const title = footName(place, places);
        return (
          <MenuItem key={place} checked={is} onSelect={() => changeWiring(setFoot(wiring, place, is ? null : name))}>
            <span class="dot dot-foot" />
            <span class="grow">{is ? `${title[0]?.toUpperCase()}${title.slice(1)}` : `Use as ${title}`}</span>
            {is && <Icon name="check" small />}
          </MenuItem>
        );
      })}
    </div>
  );
}
