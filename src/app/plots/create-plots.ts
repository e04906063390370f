import type { AppContext } from '../app-context.ts';
import type { DataPreview } from '../data/data-preview.ts';
import { ClipPlots } from './clip-plots.ts';

/** Creates the plots of the open clip; threads of the pool compute them. */
export function createPlots({ selected, pool }: AppContext, preview: DataPreview): ClipPlots {
  return new ClipPlots({
    preview,
    robot: () => selected.clipRobot(),
    threads: pool.threads,
    plotRange: (robot, work) => pool.run('plotClipRange', robot, work),
    formatPlots: (robot, order) => pool.run('formatClipPlots', robot, order),
  });
}
