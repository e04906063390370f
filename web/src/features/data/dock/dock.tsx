import { isOpen } from '../preview-store.ts';
import { Transport } from '../shared/transport.tsx';
import { Timeline } from './timeline.tsx';

/** The transport in one row, for phones. */
export const CompactTransport = () => <Transport compact />;

/** Timeline of the open clip. */
export function DataTimeline() {
  return (
    <>
      <Timeline />
      {!isOpen.value && <p class="dock-hint dim">Open a clip to play it.</p>}
    </>
  );
}
