import { Icon } from '../../ui/icon.tsx';
import { sceneFacts } from '../../viewport/view-state.ts';
import { imports } from '../robots/robots-store.ts';
import { draftWiring } from './draft-view-store.ts';

/** Name of the robot that is being imported, and the colours of its markers. */
export function DraftPills() {
  const name = imports.state.value.value?.draft?.id ?? sceneFacts.value?.robot;
  const wiring = draftWiring.value;
  return (
    <>
      <span class="pill">
        <Icon name="robot" />
        <span class="ellipsis">Draft{name === undefined ? '' : `: ${name}`}</span>
      </span>
      {wiring !== null && (
        <>
          <span class="pill">
            <span class="dot dot-anchor" />
            Anchor
          </span>
          <span class="pill">
            <span class="dot dot-keybody" />
            Key bodies {wiring.keybodies.length}
          </span>
          <span class="pill">
            <span class="dot dot-foot" />
            Feet {wiring.feet.length}
          </span>
        </>
      )}
    </>
  );
}
