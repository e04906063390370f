import { useEffect, useRef } from 'preact/hooks';
import { liveFrames } from '../net/live-frames.ts';

/** Shows the frame rate of the stream and the script time per frame, bottom right. */
export function SceneStats() {
  const text = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const timer = window.setInterval(() => {
      if (text.current === null) return;
      const { stats } = liveFrames;
      const moving = stats.age < 1500 && stats.fps > 5;
      text.current.textContent = moving ? `${Math.round(stats.fps)} fps · ${stats.scriptMs.toFixed(1)} ms` : '';
    }, 1000);
    return () => window.clearInterval(timer);
  }, []);
  return <span class="scene-stats num" aria-hidden="true" ref={text} />;
}
