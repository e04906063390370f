import { owner } from '../../net/scene-owner.ts';
import { IconButton } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { isOpen } from '../data/preview-store.ts';
import { changedJoints, robot, selectedSummary, selecting, toggleWiring } from './robots-store.ts';

/** Pills over the scene with the selected robot and the number of changed joints. */
export function RobotPills() {
  const now = owner.value;
  const summary = selectedSummary.value;
  const changed = changedJoints.value;
  const named = now !== 'import' && now !== 'play' && !(now === 'data' && isOpen.value);
  return (
    <>
      {named && summary !== null && (
        <span class="pill">
          <Icon name="robot" />
          <span class="ellipsis">{summary.name}</span>
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
    </>
  );
}

/** Buttons over the scene in the area Robots. */
export function RobotTools() {
  return (
    <div class="tool-group">
      <IconButton
        icon="wiring"
        label="Wiring markers"
        pressed={robot.state.value.value?.options.show_wiring === true}
        onClick={toggleWiring}
      />
    </div>
  );
}
