import { Type } from 'typebox';
import { looseBody, nullable, oneOf, route, strictBody } from '../route.ts';
import { Ok } from '../schemas/busy.ts';
import { Run } from '../schemas/jobs.ts';
import { PlayOptions, PlaySession, PlayState } from '../schemas/play.ts';

export const getPlayState = route({
  method: 'GET',
  path: '/api/play',
  area: 'play',
  summary: 'Playback state',
  reply: PlayState,
});

export const listPlayRuns = route({
  method: 'GET',
  path: '/api/play/runs',
  area: 'play',
  summary: 'Runs that play',
  reply: Type.Object({ runs: Type.Array(Run) }),
});

export const listPlayLibraries = route({
  method: 'GET',
  path: '/api/play/libraries',
  area: 'play',
  summary: 'Motion libraries for a run',
  query: Type.Object({ run: Type.String() }),
  reply: Type.Object({
    run: Type.String(),
    libraries: Type.Array(
      Type.Object({
        path: Type.String(),
        name: Type.String(),
        clips: Type.Integer(),
        duration: Type.Number(),
        default: Type.Boolean(),
      }),
    ),
  }),
});

export const listPlayClips = route({
  method: 'GET',
  path: '/api/play/clips',
  area: 'play',
  summary: 'Clips of the session',
  reply: Type.Object({
    clips: Type.Array(
      Type.Object({
        index: Type.Integer(),
        name: Type.String(),
        frames: Type.Integer(),
        fps: Type.Number(),
        duration: Type.Number(),
      }),
    ),
  }),
});

export const configurePlay = route({
  method: 'POST',
  path: '/api/play/configure',
  area: 'play',
  summary: 'Loads a policy; rebuilt in the background, or changed in place',
  slow: true,
  body: strictBody({
    run: Type.Optional(Type.String()),
    checkpoint: Type.Optional(Type.String({ description: '"" means zero action' })),
    motion: Type.Optional(Type.String()),
    num_envs: Type.Optional(Type.Integer({ minimum: 1 })),
    terminations: Type.Optional(Type.Boolean()),
    seed: Type.Optional(Type.Integer()),
  }),
  reply: Type.Object({
    ok: Type.Literal(true),
    task: Type.Optional(Type.String()),
    in_place: Type.Optional(Type.Literal(true)),
    session: Type.Optional(PlaySession),
  }),
});

export const stopPlay = route({
  method: 'POST',
  path: '/api/play/stop',
  area: 'play',
  summary: 'Stops the session',
  body: looseBody({}),
  reply: Ok,
});

export const setPlayPlaying = route({
  method: 'POST',
  path: '/api/play/playing',
  area: 'play',
  summary: 'Pause / resume',
  body: looseBody({ playing: Type.Optional(Type.Boolean()) }),
  reply: Type.Object({ ok: Type.Literal(true), playing: Type.Boolean() }),
});

export const stepPlay = route({
  method: 'POST',
  path: '/api/play/step',
  area: 'play',
  summary: 'Pauses, then one control step',
  body: looseBody({}),
  reply: Type.Object({ ok: Type.Literal(true), sim_time: Type.Number() }),
});

export const restartPlay = route({
  method: 'POST',
  path: '/api/play/restart',
  area: 'play',
  summary: 'Resets every env',
  body: looseBody({}),
  reply: Ok,
});

export const pinClip = route({
  method: 'POST',
  path: '/api/play/clip',
  area: 'play',
  summary: 'Pins a clip to an env; it loops',
  body: strictBody({
    clip: nullable(Type.Union([Type.String(), Type.Integer()])),
    env: Type.Optional(Type.Integer({ minimum: 0 })),
    frame: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  reply: Ok,
});

export const focusEnv = route({
  method: 'POST',
  path: '/api/focus',
  area: 'play',
  summary: 'Focuses an env',
  body: strictBody({ index: Type.Integer({ minimum: 0 }) }),
  reply: Type.Object({ ok: Type.Literal(true), index: Type.Integer() }),
});

export const setPlayOptions = route({
  method: 'POST',
  path: '/api/play/options',
  area: 'play',
  summary: 'Ghost mode, targets, contacts, speed',
  body: strictBody({
    ghost: Type.Optional(Type.Union([oneOf(['off', 'overlay', 'beside']), Type.Boolean()])),
    targets: Type.Optional(Type.Boolean()),
    contacts: Type.Optional(Type.Boolean()),
    speed: Type.Optional(Type.Number({ minimum: 0.05, maximum: 8 })),
  }),
  reply: Type.Object({ ok: Type.Literal(true), options: PlayOptions }),
});

export const pushRobot = route({
  method: 'POST',
  path: '/api/play/push',
  area: 'play',
  summary: 'Pushes the robot',
  body: strictBody({
    speed: Type.Number({ description: 'm/s added to the horizontal velocity of the root' }),
    direction: Type.Optional(Type.Number({ description: 'rad; random by default' })),
    env: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  reply: Ok,
});

export const setPlayRewards = route({
  method: 'POST',
  path: '/api/play/rewards',
  area: 'play',
  summary: 'Live reward weights',
  body: strictBody({ rewards: Type.Record(Type.String(), Type.Number()) }),
  reply: Type.Object({
    ok: Type.Literal(true),
    rewards: Type.Array(Type.Object({ name: Type.String(), weight: Type.Number(), default: Type.Number() })),
  }),
});

export const downloadPlayRecord = route({
  method: 'GET',
  path: '/api/play/record',
  area: 'play',
  summary: "Download of an env's record",
  query: Type.Object({
    env: Type.Optional(Type.Integer({ minimum: 0 })),
    format: Type.Optional(oneOf(['npz', 'csv'])),
  }),
  reply: { contentType: 'application/octet-stream', description: 'npz or csv' },
});
