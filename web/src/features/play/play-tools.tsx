import { IconButton } from '../../ui/controls.tsx';
import { tinted } from '../../viewport/view-state.ts';
import { cycleGhost, setOptions, setTint } from './control-store.ts';
import { isLive, session } from './session-store.ts';

/** Buttons at the top right of the play scene. */
export function PlayTools() {
  const options = session.value?.options;
  if (options === undefined || !isLive.value) return null;
  return (
    <div class="tool-group">
      <IconButton
        icon="ghost"
        label={options.ghost === 'off' ? 'Ghost: reference' : `Ghost: reference, ${options.ghost}`}
        hint="G"
        pressed={options.ghost !== 'off'}
        onClick={cycleGhost}
      />
      <IconButton
        icon="contact"
        label="Contacts and forces"
        hint="C"
        pressed={options.contacts}
        onClick={() => void setOptions({ contacts: !options.contacts })}
      />
      <IconButton
        icon="keybodies"
        label="Targets of key bodies"
        pressed={options.targets}
        onClick={() => void setOptions({ targets: !options.targets })}
      />
      <IconButton
        icon="drop"
        label="Colour bodies by error"
        hint="E"
        pressed={tinted.value && options.ghost !== 'off'}
        onClick={() => setTint(!tinted.peek())}
      />
    </div>
  );
}
