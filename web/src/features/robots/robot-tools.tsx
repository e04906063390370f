import { IconButton } from '../../ui/controls.tsx';
import { robot, toggleWiring } from './robots-store.ts';

/** Tools of the viewport in Robots. */
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
