import { QA_SETTINGS } from '../checks/settings.ts';
import { LIMITS_SETTINGS, STREAM_SETTINGS } from '../gateway/settings.ts';
import { launchersSettings } from '../jobs/launchers.ts';
import { JOBS_SETTINGS } from '../jobs/settings.ts';
import { TRAINERS_SETTINGS } from '../jobs/trainers/trainer-settings.ts';
import { PLAY_SETTINGS, SIM_SETTINGS } from '../play/settings.ts';
import { TRAIN_SETTINGS } from '../train/settings.ts';
import { TRASH_SETTINGS } from '../trash/settings.ts';
import { POOL_SETTINGS } from '../workers/settings.ts';

/** The keys of `studio.yaml`. */
export const SETTINGS_SECTIONS = {
  stream: STREAM_SETTINGS,
  play: PLAY_SETTINGS,
  sim: SIM_SETTINGS,
  pool: POOL_SETTINGS,
  limits: LIMITS_SETTINGS,
  jobs: JOBS_SETTINGS,
  qa: QA_SETTINGS,
  train: TRAIN_SETTINGS,
  trash: TRASH_SETTINGS,
  trainers: TRAINERS_SETTINGS,
  launchers: launchersSettings(),
};
