import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { clock } from '../../logic/format.ts';
import { timelineTicks } from '../../logic/timeline.ts';
import { duration, isOpen, playhead, preview, seek, watchPlayhead } from '../../service/preview.ts';

/** Ruler, played part and playhead of the open clip. The native slider lies over them: it takes drags and keys. */
export function Timeline({ bare = false }: { readonly bare?: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [width, setWidth] = useState(0);
  const off = !isOpen.value;
  const last = Math.max(1, (preview.value?.frames ?? 0) - 1);
  const length = duration.value;

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const watch = new ResizeObserver(() => setWidth(element.clientWidth));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);

  useEffect(() => {
    if (off) {
      box.current?.style.setProperty('--at', '0');
      return;
    }
    return watchPlayhead(() => {
      box.current?.style.setProperty('--at', String(Math.min(1, playhead.frame / last)));
      const slider = input.current;
      if (slider === null) return;
      if (slider.value !== String(playhead.frame)) slider.value = String(playhead.frame);
      slider.setAttribute('aria-valuetext', `${clock(playhead.time, 2)}, frame ${playhead.frame}`);
    });
  }, [off, last]);

  const ticks = bare || off ? { major: [], minor: [] } : timelineTicks(length, width);
  const left = (time: number) => `${(100 * time) / length}%`;
  return (
    <div class={`timeline${bare ? ' bare' : ''}${off ? ' off' : ''}`}>
      <div class="timeline-box" ref={box}>
        <div class="timeline-ruler" aria-hidden="true">
          {ticks.minor.map((time) => (
            <i key={time} style={{ left: left(time) }} />
          ))}
          {ticks.major.map(({ time, label }) => (
            <span
              key={time}
              class={time > length - length / Math.max(1, width / 48) ? 'at-end' : ''}
              style={{ left: left(time) }}
            >
              {label}
            </span>
          ))}
        </div>
        <div class="timeline-lane" aria-hidden="true">
          <span class="timeline-played" />
        </div>
        <span class="timeline-head" aria-hidden="true" />
        <input
          ref={input}
          type="range"
          aria-label="Timeline"
          min={0}
          max={last}
          step={1}
          disabled={off}
          onInput={(event) => seek(event.currentTarget.valueAsNumber)}
        />
      </div>
    </div>
  );
}
