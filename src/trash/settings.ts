import { Type } from 'typebox';
import { optional, settingsSection } from '../core/settings.ts';
import { strictBody } from '../protocol/route.ts';

const DEFAULT_DAYS = 30;
const MOST_DAYS = 3650;

/** The section `trash`: how long deleted things can be restored. */
export const TRASH_SETTINGS = settingsSection({
  schema: strictBody({
    days: optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_DAYS,
        description: 'age at which deleted things are removed for good, days',
      }),
    ),
  }),
  read: (given) => ({ days: given?.days ?? DEFAULT_DAYS }),
});
