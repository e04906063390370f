import { useEffect, useRef } from 'preact/hooks';
import { isOpen, preview, setOptions } from '../features/data/preview-store.ts';
import { importing } from '../features/robot-import/draft-view.ts';
import { robot } from '../features/robots/robots-store.ts';
import { liveFrames } from '../net/live-frames.ts';
import { run, toggleWiring } from '../shell/commands.ts';
import { firstRunShown } from '../shell/first-run.ts';
import { PlayTools } from '../shell/later.tsx';
import { IconButton } from '../ui/controls.tsx';
import { area, inspectorOpen, layout, panelOpen, showInspector, showPanel } from '../ui/layout.ts';
import { cycleFollow, FOLLOW_NAME, followMode } from './view-state.ts';

/** Camera, overlays and hidden panes, top right. */
export function ViewTools() {
  const size = layout.value;
  const adding = importing.value && area.value === 'robots';
  const bare = firstRunShown.value || adding;
  const options = preview.value?.options;
  const showsClip = isOpen.value && area.value === 'data';
  return (
    <div class="tools">
      <div class="tool-group">
        <IconButton
          icon={followMode.value === 'heading' ? 'heading' : 'camera'}
          label={FOLLOW_NAME[followMode.value]}
          hint="F"
          pressed={followMode.value !== 'free'}
          onClick={cycleFollow}
        />
        <IconButton icon="frame" label="Frame all" hint="A" onClick={() => run('frame-all')} />
      </div>
      {!bare && area.value === 'robots' && (
        <div class="tool-group">
          <IconButton
            icon="wiring"
            label="Wiring markers"
            pressed={robot.state.value.value?.options.show_wiring === true}
            onClick={toggleWiring}
          />
        </div>
      )}
      {showsClip && options !== undefined && (
        <div class="tool-group">
          <IconButton
            icon="ghost"
            label="Ghost: the raw source"
            hint="G"
            pressed={options.ghost}
            disabled={preview.value?.source !== 'npz' || preview.value.grid !== null}
            onClick={() => run('ghost')}
          />
          <IconButton
            icon="contact"
            label="Contacts"
            hint="C"
            pressed={options.contacts}
            onClick={() => run('contacts')}
          />
          <IconButton
            icon="keybodies"
            label="Key bodies"
            pressed={options.keybodies}
            onClick={() => void setOptions({ keybodies: !options.keybodies })}
          />
          <IconButton
            icon="trail"
            label="Trail"
            pressed={options.trail}
            onClick={() => void setOptions({ trail: !options.trail })}
          />
        </div>
      )}
      {!bare && area.value === 'play' && <PlayTools />}
      {!bare && size !== 'phone' && (
        <div class="tool-group">
          {size === 'narrow' && !panelOpen.value && (
            <IconButton icon="folder" label="Show panel" onClick={() => showPanel(true)} />
          )}
          {area.value !== 'status' && !inspectorOpen.value && (
            <IconButton
              icon="panel"
              label={area.value === 'robots' ? 'Show pose' : area.value === 'play' ? 'Show rewards' : 'Show clip facts'}
              onClick={() => showInspector(true)}
            />
          )}
        </div>
      )}
    </div>
  );
}

/** Rate of the stream and script time a frame, bottom right. */
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
