import { isOpen } from '../preview-store.ts';
import { Timeline } from './timeline.tsx';
import { Transport } from './transport.tsx';

/** Buttons and clock of the open clip. */
export const DataTransport = () => <Transport />;

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
