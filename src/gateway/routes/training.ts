import { curves, launch, tensorboard } from '../../protocol/routes/training.ts';
import { handle, handleContent, handleTagged } from './handle.ts';

export const trainingHandlers = [
  handle(launch, ({ training }, { body, signal }) => training.launch(body, signal)),
  handleTagged(curves, ({ curves: area }, { query }) => area.get(query)),
  handleContent(tensorboard, async ({ metricsViewer }, { query, fromThisMachine }) => ({
    status: 302,
    body: '',
    headers: { location: await metricsViewer.address(query.run ?? null, fromThisMachine) },
  })),
];
