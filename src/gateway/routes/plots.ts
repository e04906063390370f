import { getClipPlots, getPlayPlots } from '../../protocol/routes/plots.ts';
import { handleContent, handleTagged } from './handle.ts';

export const plotsHandlers = [
  handleTagged(getClipPlots, ({ plots }, { query }) =>
    plots.clip({ group: query.group ?? null, ref: query.ref ?? true }),
  ),
  handleContent(getPlayPlots, ({ records }, { query, viewer }) => ({ body: records.plots(query, !viewer) })),
];
