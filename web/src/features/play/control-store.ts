import { call } from '../../net/api.ts';
import { remember, remembered } from '../../ui/stored.ts';
import { failed } from '../../ui/toasts.ts';
import { tinted } from '../../viewport/view-state.ts';
import { SessionControl } from './session-control.ts';
import { sessions } from './session-store.ts';

/** Functions of this page that control the play session. */
export const {
  pushSpeed,
  setPlaying,
  togglePlaying,
  step,
  restart,
  stopSession,
  focusEnv,
  focusNext,
  pinClip,
  setOptions,
  setTint,
  cycleGhost,
  changeSpeed,
  setPushSpeed,
  push,
  setWeight,
  resetWeights,
} = new SessionControl({ call, sessions, failed, remembered, remember, tinted });
