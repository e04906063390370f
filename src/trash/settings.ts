import { Type } from 'typebox';
import { optional, settingsSection } from '../core/settings.ts';
import { strictBody } from '../protocol/route.ts';

const DEFAULT_DAYS = 30;
const MOST_DAYS = 3650;

/** The section `trash` of the settings: how long deleted items can be restored. */
export const TRASH_SETTINGS = settingsSection({
  schema: strictBody({
    days: optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_DAYS,
        description: 'age at which deleted items are removed permanently, days',
      }),
    ),
  }),
  read: (given) => ({ days: given?.days ?? DEFAULT_DAYS }),
});
