import { Type } from 'typebox';
import { optional, settingsSection, threadCount } from '../core/settings.ts';
import { strictBody } from '../protocol/route.ts';

/** Settings section `play`: limits of sessions. */
export const PLAY_SETTINGS = settingsSection({
  schema: strictBody({ max_envs: optional(Type.Integer({ minimum: 1, maximum: 65_536 })) }),
  read: (given) => ({ maxEnvs: given?.max_envs ?? 4096 }),
});

/** Settings section `sim`: threads that simulate a session. */
export const SIM_SETTINGS = settingsSection({
  schema: strictBody({ threads: threadCount() }),
  read: (given) => ({ threads: given?.threads ?? 0 }),
});
