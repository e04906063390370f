import { settingsSection, threadCount } from '../core/settings.ts';
import { strictBody } from '../protocol/route.ts';

/** `pool`: threads for work on files. */
export const POOL_SETTINGS = settingsSection({
  schema: strictBody({ threads: threadCount() }),
  read: (given) => ({ threads: given?.threads ?? 0 }),
});
