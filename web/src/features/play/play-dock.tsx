import './play.css';
import { useEffect } from 'preact/hooks';
import { PlayTimeline } from './play-timeline.tsx';
import { useRecord } from './record-store.ts';
import { isLive } from './session-store.ts';
import { PlayTransport } from './shared/play-transport.tsx';

/** Controls of the session below the scene. While they are shown, the page reads the record of the focused
 *  environment. */
export function PlayDockTransport() {
  useEffect(useRecord, []);
  return <PlayTransport />;
}

/** Shows the last minute of the focused environment as a timeline. */
export function PlayDockTimeline() {
  return (
    <>
      <PlayTimeline />
      {!isLive.value && <p class="dock-hint dim">Play a policy to see its last minute here.</p>}
    </>
  );
}
