import { messageOf } from '../core/errors.ts';
import type { AppContext } from './app-context.ts';
import type { DataPreview } from './data/data-preview.ts';
import type { PlaySessions } from './play/play-sessions.ts';
import type { DraftScene } from './robots/draft-scene.ts';
import type { Robots } from './robots/robots.ts';

/** After more crashes than this within a minute, a new simulation thread gets neither the clip nor the session. */
const CRASHES_WITH_CLIP = 2;
/** After more crashes than this within a minute, a new simulation thread does not get the robot either. */
const CRASHES_WITH_ROBOT = 4;

interface Scenes {
  readonly robots: Robots;
  readonly preview: DataPreview;
  readonly draft: DraftScene;
  readonly play: PlaySessions;
}

/** Restores the previous content of the scene in each new simulation thread. If crashes repeat, restores less. */
export function recoverScene({ events, logger }: AppContext, { robots, preview, draft, play }: Scenes): void {
  const crashes: number[] = [];
  const rebuild = async (): Promise<void> => {
    const now = Date.now();
    crashes.push(now);
    while (crashes[0]! < now - 60_000) crashes.shift();
    if (crashes.length > CRASHES_WITH_CLIP) for (const scene of [preview, play]) scene.robotSelected();
    if (crashes.length > CRASHES_WITH_ROBOT) return;
    await robots.rebuild();
    await preview.rebuild();
    await draft.rebuild();
    await play.rebuild();
  };
  events.on('sim-crashed', () =>
    rebuild().catch((error: unknown) => logger.error({ err: error }, `the scene was not rebuilt: ${messageOf(error)}`)),
  );
}
