import { getClipPlots } from '../../protocol/routes/plots.ts';
import { handleTagged } from './handle.ts';

export const plotsHandlers = [
  handleTagged(getClipPlots, ({ plots }, { query }) =>
    plots.clip({ group: query.group ?? null, ref: query.ref ?? true }),
  ),
];
