import {
  configurePlay,
  focusEnv,
  pinClip,
  playClips,
  playLibraries,
  playOptions,
  playPlaying,
  playRecord,
  playRewards,
  playState,
  push,
  restartPlay,
  stepPlay,
  stopPlay,
} from '../../protocol/routes/play.ts';
import { playPlots } from '../../protocol/routes/plots.ts';
import { handle, handleContent, ok } from './handle.ts';

export const playHandlers = [
  handle(playState, ({ play }) => play.state()),
  handle(playLibraries, ({ play }, { query }) => play.libraries(query.run)),
  handle(playClips, ({ play }) => play.clips()),
  handle(configurePlay, ({ play }, { body, signal }) => play.configure(body, signal)),
  handle(stopPlay, async ({ play }) => {
    await play.stop();
    return ok();
  }),
  handle(playPlaying, async ({ transport }, { body }) => ok({ playing: await transport.setPlaying(body.playing) })),
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
  handle(playOptions, async ({ transport }, { body }) => ok({ options: await transport.setOptions(body) })),
  handle(push, async ({ transport }, { body }) => {
    await transport.push(body);
    return ok();
  }),
  handle(playRewards, async ({ transport }, { body }) => ok({ rewards: await transport.setRewards(body.rewards) })),
  handleContent(playPlots, ({ records }, { query }) => ({ body: records.plots(query) })),
  handleContent(playRecord, async ({ records }, { query }) => {
    const { bytes, name } = await records.file(query);
    const headers = { 'content-disposition': `attachment; filename="${name}"` };
    return { body: bytes, headers, ...(query.format === 'csv' ? { contentType: 'text/csv; charset=utf-8' } : {}) };
  }),
];
