import { convertDataset } from '../../protocol/routes/data.ts';
import { handle, ok } from './handle.ts';

export const conversionHandlers = [
  handle(convertDataset, async ({ conversion }, { body }) => ok({ job: await conversion.start(body) })),
];
