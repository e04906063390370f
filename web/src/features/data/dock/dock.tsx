import { Dock } from '../../../shell/dock/dock.tsx';
import { isOpen } from '../preview-store.ts';
import { Timeline } from './timeline.tsx';
import { Transport } from './transport.tsx';

/** Transport and timeline of the open clip. */
export function DataDock() {
  return (
    <Dock transport={<Transport />} timeline={<Timeline />} hint={isOpen.value ? null : 'Open a clip to play it.'} />
  );
}
