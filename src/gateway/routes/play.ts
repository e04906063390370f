import {
  comparePolicies,
  configurePlay,
  downloadPlayRecord,
  focusEnv,
  getPlayState,
  listPlayClips,
  listPlayLibraries,
  listPlayRuns,
  pinClip,
  playWorst,
  pushRobot,
  restartPlay,
  setPlayOptions,
  setPlayPlaying,
  setPlayRewards,
  stepPlay,
  stopPlay,
} from '../../protocol/routes/play.ts';
import { handle, handleStream, handleTagged, ok } from './handle.ts';

export const playHandlers = [
  handle(getPlayState, ({ play }) => play.state()),
  handleTagged(listPlayRuns, ({ runs }) => runs.list(null)),
  handle(listPlayLibraries, ({ play }, { query }) => play.libraries(query.run)),
  handle(listPlayClips, ({ play }) => play.clips()),
  handle(configurePlay, ({ play }, { body, signal }) => play.configure(body, signal)),
  handle(comparePolicies, ({ play }, { body, signal }) => play.compare(body, signal)),
  handle(playWorst, ({ play }, { body, signal }) => play.worst(body, signal)),
  handle(stopPlay, async ({ play }) => {
    await play.stop();
    return ok();
  }),
  handle(setPlayPlaying, async ({ transport }, { body }) => ok({ playing: await transport.setPlaying(body.playing) })),
  handle(stepPlay, async ({ transport }) => ok({ sim_time: await transport.step() })),
  handle(restartPlay, async ({ transport }) => {
    await transport.restart();
    return ok();
  }),
  handle(pinClip, async ({ transport }, { body }) => {
    await transport.pin(body);
    return ok();
  }),
  handle(focusEnv, async ({ transport }, { body }) => ok({ index: await transport.focus(body.index) })),
  handle(setPlayOptions, async ({ transport }, { body }) => ok({ options: await transport.setOptions(body) })),
  handle(pushRobot, async ({ transport }, { body }) => {
    await transport.push(body);
    return ok();
  }),
  handle(setPlayRewards, async ({ transport }, { body }) => ok({ rewards: await transport.setRewards(body.rewards) })),
  handleStream(downloadPlayRecord, async ({ records }, { query, viewer }) => ({
    ...(await records.file(query, !viewer)),
    ...(query.format === 'csv' ? { contentType: 'text/csv; charset=utf-8' } : {}),
  })),
];
