import { useEffect, useState } from 'preact/hooks';
import { connection, refused } from '../net/connection.ts';
import { timeOfDay } from '../ui/format.ts';
import { reconnectNow } from './live.ts';

/** Counts the seconds since the service was lost; the last frame stays visible. Says if the service refuses the
 *  token. */
export function ReconnectBanner() {
  const { state, since, lastFrame } = connection.value;
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    if (state !== 'lost') return;
    setNow(performance.now());
    const timer = window.setInterval(() => setNow(performance.now()), 500);
    return () => window.clearInterval(timer);
  }, [state]);
  if (refused.value)
    return (
      <div class="banner refused">
        <span class="dot dot-warn" />
        <span role="status" aria-label="Connection">
          <span class="semi">Access was refused.</span> Open the link with the token again.
        </span>
      </div>
    );
  if (state !== 'lost') return null;
  return (
    <div class="banner">
      <span class="dot dot-warn" />
      <span class="semi" role="status" aria-label="Connection">
        Reconnecting
      </span>
      <span class="semi num">{Math.max(0, Math.round((now - since) / 1000))} s</span>
      {lastFrame !== null && <span class="dim">Last frame {timeOfDay(lastFrame)}</span>}
      <button type="button" class="link" onClick={reconnectNow}>
        Retry now
      </button>
    </div>
  );
}
