import './play.css';
import { useEffect } from 'preact/hooks';
import { PlayTimeline } from './play-timeline.tsx';
import { useRecord } from './record-store.ts';
import { isLive } from './session-store.ts';
import { PlayTransport } from './shared/play-transport.tsx';

/** Transport of the session; records the focused environment while it is shown. */
export function PlayDockTransport() {
  useEffect(useRecord, []);
  return <PlayTransport />;
}

/** The last minute of the focused environment. */
export function PlayDockTimeline() {
  return (
    <>
      <PlayTimeline />
      {!isLive.value && <p class="dock-hint dim">Play a policy to see its last minute here.</p>}
    </>
  );
}
