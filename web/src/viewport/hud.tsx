import { chosenIssue, isOpen, loadingClip, preview } from '../features/data/preview-store.ts';
import { KIND_NAME } from '../features/data/qa.ts';
import { draftWiring } from '../features/robot-import/draft-view.ts';
import { changedJoints, imports, robot, selectedSummary, selecting } from '../features/robots/robots-store.ts';
import { owner } from '../net/scene-owner.ts';
import { firstRunShown } from '../shell/first-run.ts';
import { PlayPills } from '../shell/later.tsx';
import { count } from '../ui/format.ts';
import { Icon, StateShape } from '../ui/icon.tsx';
import { sceneFacts } from './view-state.ts';

/** What the scene shows, top left: one pill a fact. */
export function Hud() {
  const summary = selectedSummary.value;
  const now = owner.value;
  const open = preview.value;
  const changed = changedJoints.value;
  const n = sceneFacts.value?.n ?? 1;
  const bare = firstRunShown.value;
  return (
    <div class={`hud${bare ? ' hud-end' : ''}`}>
      {now === 'import' ? (
        <DraftPills />
      ) : now === 'data' && isOpen.value && open !== null ? (
        <span class="pill">
          <Icon name="data" />
          <span class="ellipsis">{open.clip ?? `${open.grid?.clips.length ?? n} clips`}</span>
        </span>
      ) : (
        summary !== null &&
        now !== 'play' && (
          <span class="pill">
            <Icon name="robot" />
            <span class="ellipsis">{summary.name}</span>
          </span>
        )
      )}
      {now === 'data' && chosenIssue.value !== null && (
        <span class={`pill shape-${chosenIssue.value.severity}`}>
          <StateShape kind={chosenIssue.value.severity} />
          <span class="ellipsis">{KIND_NAME[chosenIssue.value.kind]}</span>
        </span>
      )}
      {now === 'data' &&
        isOpen.value &&
        open?.options.ghost === true &&
        open.source === 'npz' &&
        open.grid === null && (
          <span class="pill">
            <span class="dot dot-ghost" />
            Ghost: raw source
          </span>
        )}
      {bare && summary?.model != null && (
        <span class="pill num">
          {summary.source === 'builtin' && 'Built-in · '}
          {count(summary.model.joints, 'joint')} · {Math.round(summary.model.mass)} kg
        </span>
      )}
      {loadingClip.value !== null && (
        <span class="pill">
          <span class="spinner" aria-hidden="true" />
          Loading {loadingClip.value.clip}
        </span>
      )}
      {selecting.value !== null && (
        <span class="pill">
          <span class="spinner" aria-hidden="true" />
          Selecting {selecting.value}
        </span>
      )}
      {now === 'robots' && changed > 0 && robot.state.value.value !== null && (
        <span class="pill">
          <span class="dot dot-accent" />
          Pose edited: {changed === 1 ? '1 joint' : `${changed} joints`}
        </span>
      )}
      {now === 'data' && isOpen.value && open?.playing === false && <span class="pill dim">Paused</span>}
      {now === 'play' && <PlayPills />}
    </div>
  );
}

/** The robot that is being imported, with the colours of its markers. */
function DraftPills() {
  const name = imports.state.value.value?.draft?.id ?? sceneFacts.value?.robot;
  const wiring = draftWiring.value;
  return (
    <>
      <span class="pill">
        <Icon name="robot" />
        <span class="ellipsis">Draft{name === undefined ? '' : `: ${name}`}</span>
      </span>
      {wiring !== null && (
        <>
          <span class="pill">
            <span class="dot dot-anchor" />
            Anchor
          </span>
          <span class="pill">
            <span class="dot dot-keybody" />
            Key bodies {wiring.keybodies.length}
          </span>
          <span class="pill">
            <span class="dot dot-foot" />
            Feet {wiring.feet.length}
          </span>
        </>
      )}
    </>
  );
}
