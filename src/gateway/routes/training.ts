import { getCurves, launchTraining, listTasks, openTensorboard } from '../../protocol/routes/training.ts';
import { handle, handleContent, handleTagged } from './handle.ts';

export const trainingHandlers = [
  handle(listTasks, async ({ presets, training }) => ({ tasks: await presets.tasks(), ...training.choices() })),
  handle(launchTraining, ({ training }, { body, signal }) => training.launch(body, signal)),
  handleTagged(getCurves, ({ curves: area }, { query }) => area.get(query)),
  handleContent(openTensorboard, async ({ metricsViewer }, { query, fromThisMachine, viewer }) => ({
    status: 302,
    body: '',
    headers: { location: await metricsViewer.address(query.run ?? null, { fromThisMachine, viewer }) },
  })),
];
