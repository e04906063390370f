import { useEffect } from 'preact/hooks';
import { CHECK_KINDS } from '../../../../src/protocol/check-kinds.ts';
import { owner } from '../../net/scene-owner.ts';
import { IconButton } from '../../ui/controls.tsx';
import { Icon, StateShape } from '../../ui/icon.tsx';
import { NO_NAMES, robotNames, sceneFacts } from '../../viewport/view-state.ts';
import { chosenIssue, isOpen, loadingClip, preview, setOptions } from './preview-store.ts';

/** Pills with the open clip, its selected issue and the view options. */
export function DataPills() {
  return (
    <>
      {owner.value === 'data' && <OpenClip />}
      {loadingClip.value !== null && (
        <span class="pill">
          <span class="spinner" aria-hidden="true" />
          Loading {loadingClip.value.clip}
        </span>
      )}
    </>
  );
}

function OpenClip() {
  const open = preview.value;
  const issue = chosenIssue.value;
  const shown = isOpen.value && open !== null;
  const cells = open?.grid?.clips.join('\n') ?? '';
  useEffect(() => {
    const clips = cells === '' ? [] : cells.split('\n');
    robotNames.value = {
      nameOf: (robot) => (clips[robot] === undefined ? null : { text: clips[robot], team: null }),
      teams: 0,
    };
    return () => {
      robotNames.value = NO_NAMES;
    };
  }, [cells]);
  return (
    <>
      {shown && (
        <span class="pill">
          <Icon name="data" />
          <span class="ellipsis">{open.clip ?? `${open.grid?.clips.length ?? sceneFacts.value?.n ?? 1} clips`}</span>
        </span>
      )}
      {issue !== null && (
        <span class={`pill shape-${issue.severity}`}>
          <StateShape kind={issue.severity} />
          <span class="ellipsis">{CHECK_KINDS[issue.kind]}</span>
        </span>
      )}
      {shown && open.options.ghost && open.source === 'npz' && open.grid === null && (
        <span class="pill">
          <span class="dot dot-ghost" />
          Ghost: source clip
        </span>
      )}
      {shown && !open.playing && <span class="pill dim">Paused</span>}
    </>
  );
}

/** Buttons over the scene in the area Data. They select what the scene shows in addition to the robot of the clip. */
export function DataTools() {
  const open = preview.value;
  if (!isOpen.value || open === null) return null;
  const { options, source, grid } = open;
  return (
    <div class="tool-group">
      <IconButton
        icon="ghost"
        label="Ghost: source clip"
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
