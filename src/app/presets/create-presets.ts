import type { StoredItem } from '../../trash/trash-store.ts';
import type { AppContext } from '../app-context.ts';
import { Presets } from './presets.ts';

/** Creates the module for the tasks, presets and modules of robots. */
export function createPresets({ places, hub, events, logger, selected, trash }: AppContext): Presets {
  const presets = new Presets({
    folder: places.config,
    hub,
    logger: logger.child('presets'),
    trash,
    robot: () => selected.facts(),
    onTasks: () => void events.emit('tasks-changed', null),
  });
  const restore = ({ kind, robot, name }: StoredItem, put: () => Promise<string | null>) =>
    presets.restore(kind as 'preset' | 'module', robot ?? '', name, put);
  trash.connect('preset', restore);
  trash.connect('module', restore);
  events.on('robot-selected', () => presets.logBroken());
  return presets;
}
