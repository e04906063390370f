import { IconButton } from '../../ui/controls.tsx';
import { isOpen, preview, setOptions } from './preview-store.ts';

/** Tools of the viewport in Data: what is drawn beside the clip's robot. */
export function DataTools() {
  const open = preview.value;
  if (!isOpen.value || open === null) return null;
  const { options, source, grid } = open;
  return (
    <div class="tool-group">
      <IconButton
        icon="ghost"
        label="Ghost: the raw source"
        hint="G"
        pressed={options.ghost}
        disabled={source !== 'npz' || grid !== null}
        onClick={() => void setOptions({ ghost: !options.ghost })}
      />
      <IconButton
        icon="contact"
        label="Contacts"
        hint="C"
        pressed={options.contacts}
        onClick={() => void setOptions({ contacts: !options.contacts })}
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
  );
}
