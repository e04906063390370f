import type { AppContext } from '../app-context.ts';
import { Presets } from './presets.ts';

/** Creates the list of a robot's tasks, presets and modules. */
export function createPresets({ places, hub, events, logger, selected }: AppContext): Presets {
  const presets = new Presets({
    folder: places.config,
    hub,
    logger: logger.child('presets'),
    robot: () => selected.facts(),
    onTasks: () => void events.emit('tasks-changed', null),
  });
  events.on('robot-selected', () => presets.logBroken());
  return presets;
}
