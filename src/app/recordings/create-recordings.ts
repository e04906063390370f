import { rowWidth } from '../../play/record/row-writer.ts';
import type { RecordedSession } from '../../recording/recorded.ts';
import type { RobotRegistry } from '../../robots/robot-registry.ts';
import type { AppContext } from '../app-context.ts';
import type { PlaySessions } from '../play/play-sessions.ts';
import type { Robots } from '../robots/robots.ts';
import { Exploded } from './exploded.ts';
import { Recordings } from './recordings.ts';

export interface RecordingsParts {
  readonly registry: RobotRegistry;
  readonly robots: Robots;
  readonly play: PlaySessions;
}

/** Creates the module that records the scene. A separate thread writes each recording; the listing thread reads the
 *  files. */
export function createRecordings(context: AppContext, { registry, robots, play }: RecordingsParts): Recordings {
  const { places, events, listing, pool, logger } = context;
  const recordings = new Recordings({
    ...context,
    folder: places.recordings,
    logger: logger.child('service'),
    shown: () => {
      const model = robots.model().content;
      const source = registry.has(model.robot) ? registry.find(model.robot).source : null;
      return { model: { model, bin: robots.modelBin().content }, source };
    },
    session: () => focusedSession(play),
    list: (folder) => listing.run('listRecordings', folder),
    finish: (folder) => pool.run('finishRecordings', folder),
  });
  const exploded = new Exploded({
    folder: places.recordings,
    logger: logger.child('play'),
    live: () => play.live,
    write: (order) => pool.run('writeExploded', order),
  });
  events.on('play-events', (happened) => {
    recordings.playEvents(happened);
    exploded.playEvents(happened);
  });
  return recordings;
}

/** Returns the buffer with the rows of the focused environment; null without a session, or without memory for the
 *  record. */
function focusedSession({ live }: PlaySessions): RecordedSession | null {
  if (!live || live.error !== null) return null;
  const ring = live.recorded(live.focus);
  if (!ring) return null;
  const { stepS, signals } = live.threads.shapeOf(live.focus);
  return {
    session: live.id,
    env: live.focus,
    stepS,
    buffer: ring.buffer,
    width: rowWidth(signals),
    kept: ring.kept,
    columns: live.columnsOf(live.focus),
    channels: live.channelsOf(live.focus).map(({ id }) => id),
    refCols: live.refColsOf(live.focus),
    clips: live.clips,
  };
}
