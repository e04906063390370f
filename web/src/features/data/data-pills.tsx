import { CHECK_KINDS } from '../../../../src/protocol/check-kinds.ts';
import { owner } from '../../net/scene-owner.ts';
import { Icon, StateShape } from '../../ui/icon.tsx';
import { sceneFacts } from '../../viewport/view-state.ts';
import { chosenIssue, isOpen, loadingClip, preview } from './preview-store.ts';

/** The open clip, its chosen issue and how it is shown. */
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
          Ghost: raw source
        </span>
      )}
      {shown && !open.playing && <span class="pill dim">Paused</span>}
    </>
  );
}
