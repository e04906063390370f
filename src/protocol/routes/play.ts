import { Type } from 'typebox';
import { looseBody, nameOf, oneOf, route, strictBody } from '../route.ts';
import { Ok, SlowReply } from '../schemas/busy.ts';
import { Run } from '../schemas/jobs.ts';
import { ChangedInPlace, MotionLibrary, PlayClip, PlayOptions, PlayState, RewardWeight } from '../schemas/play.ts';

const NO_SESSION = 'there is no session';
const env = Type.Integer({ minimum: 0, description: 'absent: the focused environment' });

export const getPlayState = route({
  method: 'GET',
  path: '/api/play',
  tag: 'Play',
  summary: 'Gets the state of the play session',
  reply: PlayState,
});

export const listPlayRuns = route({
  method: 'GET',
  path: '/api/play/runs',
  tag: 'Play',
  summary: 'Lists the runs that can be played, newest first',
  reply: Type.Object({ runs: Type.Array(Run) }),
});

export const listPlayLibraries = route({
  method: 'GET',
  path: '/api/play/libraries',
  tag: 'Play',
  summary: 'Lists the motion libraries for a run',
  query: Type.Object({ run: nameOf('path of a run: `<run_dir>/<run>`') }),
  reply: Type.Object({
    run: Type.String(),
    libraries: Type.Array(MotionLibrary),
  }),
});

export const listPlayClips = route({
  method: 'GET',
  path: '/api/play/clips',
  tag: 'Play',
  summary: 'Lists the clips of the session; empty without one',
  reply: Type.Object({
    clips: Type.Array(PlayClip),
  }),
});

export const configurePlay = route({
  method: 'POST',
  path: '/api/play/configure',
  tag: 'Play',
  summary: 'Loads a policy, in the background; or changes the running session in place',
  slow: true,
  body: strictBody({
    run: Type.Optional(nameOf("path of a run; absent: the session's, which then has to exist")),
    checkpoint: Type.Optional(
      Type.String({ description: '`""` means zero action; absent: as it is, or the latest for a new session' }),
    ),
    motion: Type.Optional(nameOf("`path` of a library of the run; absent: as it is, or the run's own")),
    num_envs: Type.Optional(
      Type.Integer({ minimum: 1, description: 'at most `play.max_envs` (4096); absent: as it is, or 1' }),
    ),
    terminations: Type.Optional(
      Type.Boolean({ description: 'false: an episode does not end when the robot fails; absent: as it is, or true' }),
    ),
    seed: Type.Optional(Type.Integer({ description: 'equal seeds give equal sessions' })),
  }),
  reply: Type.Union([SlowReply, ChangedInPlace]),
});

export const stopPlay = route({
  method: 'POST',
  path: '/api/play/stop',
  tag: 'Play',
  summary: 'Stops the session. Without one it does nothing',
  body: looseBody({}),
  reply: Ok,
});

export const setPlayPlaying = route({
  method: 'POST',
  path: '/api/play/playing',
  tag: 'Play',
  summary: 'Pauses or resumes the session',
  conflict: NO_SESSION,
  body: looseBody({ playing: Type.Optional(Type.Boolean({ description: 'absent: toggles' })) }),
  reply: Type.Object({ ok: Type.Literal(true), playing: Type.Boolean() }),
});

export const stepPlay = route({
  method: 'POST',
  path: '/api/play/step',
  tag: 'Play',
  summary: 'Pauses the session and takes one control step',
  conflict: NO_SESSION,
  body: looseBody({}),
  reply: Type.Object({ ok: Type.Literal(true), sim_time: Type.Number({ description: 's' }) }),
});

export const restartPlay = route({
  method: 'POST',
  path: '/api/play/restart',
  tag: 'Play',
  summary: 'Resets every environment',
  conflict: NO_SESSION,
  body: looseBody({}),
  reply: Ok,
});

export const pinClip = route({
  method: 'POST',
  path: '/api/play/clip',
  tag: 'Play',
  summary: 'Pins a clip to an environment, which then repeats it',
  conflict: NO_SESSION,
  body: strictBody({
    clip: Type.Union([Type.String(), Type.Integer(), Type.Null()], {
      description: "name or index of one of the session's clips; null unpins",
    }),
    env: Type.Optional(env),
    frame: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'where the clip begins' })),
  }),
  reply: Ok,
});

export const focusEnv = route({
  method: 'POST',
  path: '/api/focus',
  tag: 'Play',
  summary: 'Focuses an environment',
  conflict: NO_SESSION,
  body: strictBody({ index: Type.Integer({ minimum: 0 }) }),
  reply: Type.Object({ ok: Type.Literal(true), index: Type.Integer() }),
});

export const setPlayOptions = route({
  method: 'POST',
  path: '/api/play/options',
  tag: 'Play',
  summary: 'Sets ghost mode, markers and speed of the session. Absent fields stay as they are',
  conflict: NO_SESSION,
  body: strictBody({
    ghost: Type.Optional(
      Type.Union([oneOf(['off', 'overlay', 'beside']), Type.Boolean()], {
        description: '`true` means `overlay`, `false` means `off`',
      }),
    ),
    targets: Type.Optional(Type.Boolean()),
    contacts: Type.Optional(Type.Boolean()),
    speed: Type.Optional(Type.Number({ minimum: 0.05, maximum: 8, description: 'real-time factor' })),
  }),
  reply: Type.Object({ ok: Type.Literal(true), options: PlayOptions }),
});

/** m/s; a kick that throws a person over is 2. Beyond it physics tells nothing. */
const MAX_PUSH_SPEED = 20;

export const pushRobot = route({
  method: 'POST',
  path: '/api/play/push',
  tag: 'Play',
  summary: 'Pushes the robots',
  conflict: NO_SESSION,
  body: strictBody({
    speed: Type.Number({
      minimum: -MAX_PUSH_SPEED,
      maximum: MAX_PUSH_SPEED,
      description: 'm/s added to the horizontal velocity of the root; negative: the other way',
    }),
    direction: Type.Optional(Type.Number({ description: 'rad; absent: random' })),
    env: Type.Optional(Type.Integer({ minimum: 0, description: 'absent: every environment' })),
  }),
  reply: Ok,
});

export const setPlayRewards = route({
  method: 'POST',
  path: '/api/play/rewards',
  tag: 'Play',
  summary: 'Changes reward weights of the running session',
  conflict: NO_SESSION,
  body: strictBody({
    rewards: Type.Record(Type.String(), Type.Number(), { description: 'weight by term; other terms keep theirs' }),
  }),
  reply: Type.Object({
    ok: Type.Literal(true),
    rewards: Type.Array(RewardWeight),
  }),
});

export const downloadPlayRecord = route({
  method: 'GET',
  path: '/api/play/record',
  tag: 'Play',
  summary: "Downloads an environment's record of the last 60 s",
  conflict: NO_SESSION,
  query: Type.Object({
    env: Type.Optional(env),
    format: Type.Optional(oneOf(['npz', 'csv'], { default: 'npz' })),
  }),
  reply: { contentType: 'application/octet-stream', description: 'npz or csv' },
});
