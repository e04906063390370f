import { Type } from 'typebox';
import { optional, settingsSection } from '../core/settings.ts';
import { strictBody } from '../protocol/route.ts';

/** The section `jobs` of the settings: the queue of this machine. */
export const JOBS_SETTINGS = settingsSection({
  schema: strictBody({
    local_limit: optional(
      Type.Integer({ minimum: 1, description: 'maximum number of training processes at the same time' }),
    ),
  }),
  read: (given) => ({ localLimit: given?.local_limit ?? 1 }),
});
