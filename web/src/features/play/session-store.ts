import { call } from '../../net/api.ts';
import { LiveSession } from './live-session.ts';

/** The play session, as known to this page. */
export const sessions = new LiveSession({ call, nextPicture: (draw) => requestAnimationFrame(draw) });
export const {
  playState,
  session,
  isLive,
  playHud,
  takePlay,
  patchSession,
  refreshPlay,
  watchPlayHud,
  followPlayFrame,
} = sessions;
