import '../play.css';
import { useEffect } from 'preact/hooks';
import { Dock } from '../../../shell/dock/dock.tsx';
import { useRecord } from '../record-store.ts';
import { isLive } from '../session-store.ts';
import { PlayTimeline } from './play-timeline.tsx';
import { PlayTransport } from './play-transport.tsx';

/** Transport and the last minute of the focused environment. */
export function PlayDock() {
  useEffect(useRecord, []);
  return (
    <Dock
      transport={<PlayTransport />}
      timeline={<PlayTimeline />}
      hint={isLive.value ? null : 'Play a policy to see its last minute here.'}
    />
  );
}
