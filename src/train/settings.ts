import { Type } from 'typebox';
import { optional, settingsSection } from '../core/settings.ts';
import { strictBody } from '../protocol/route.ts';

const DEFAULT_MINUTES = 240;
const MOST_MINUTES = 60 * 24 * 30;

/** The section `train`: limits of the built-in trainer. */
export const TRAIN_SETTINGS = settingsSection({
  schema: strictBody({
    max_minutes: optional(
      Type.Number({
        minimum: 1,
        maximum: MOST_MINUTES,
        description: 'time limit of a training without a given number of iterations, minutes',
      }),
    ),
  }),
  read: (given) => ({ maxMinutes: given?.max_minutes ?? DEFAULT_MINUTES }),
});
