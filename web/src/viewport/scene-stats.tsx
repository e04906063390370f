import { useEffect, useRef } from 'preact/hooks';
import { liveFrames } from '../net/live-frames.ts';
import { statsText } from './stats-text.ts';

const INTERVAL_MS = 1000;
/** Time without a frame after which the scene counts as still, ms. */
const REST_MS = 1500;
/** A stream slower than this only repeats a still scene, frames per second. */
const STILL_FPS = 5;

/** Shows how the moving scene is drawn, bottom right. */
export function SceneStats() {
  const text = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const timer = window.setInterval(() => {
      if (text.current === null) return;
      const { stats } = liveFrames;
      const moving = stats.age < REST_MS && stats.fps > STILL_FPS;
      text.current.textContent = moving ? statsText(stats) : '';
    }, INTERVAL_MS);
    return () => window.clearInterval(timer);
  }, []);
  return <span class="scene-stats num" aria-hidden="true" ref={text} />;
}
