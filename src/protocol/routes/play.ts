import { Type } from 'typebox';
import { looseBody, nameOf, oneOf, route, strictBody } from '../route.ts';
import { Ok, SlowReply } from '../schemas/busy.ts';
import { Run } from '../schemas/jobs.ts';
import {
  ChangedInPlace,
  CompareLayout,
  MotionLibrary,
  PlayClip,
  PlayOptions,
  PlayState,
  RewardWeight,
} from '../schemas/play.ts';

const NO_SESSION = 'there is no play session';
const env = Type.Integer({ minimum: 0, description: 'Index of the environment. Absent: the focused environment' });

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
  summary: 'Lists the runs on disk, newest first. unplayable says why a run cannot be played',
  reply: Type.Object({
    runs: Type.Array(Run),
    version: Type.String({ description: 'State of the list; pass it as since to GET /api/runs' }),
  }),
});

export const listPlayLibraries = route({
  method: 'GET',
  path: '/api/play/libraries',
  tag: 'Play',
  summary: 'Lists the motion libraries that a run can play',
  query: Type.Object({ run: nameOf('Path of the run: `<run_dir>/<run>`') }),
  reply: Type.Object({
    run: Type.String(),
    libraries: Type.Array(MotionLibrary),
  }),
});

export const listPlayClips = route({
  method: 'GET',
  path: '/api/play/clips',
  tag: 'Play',
  summary: 'Lists the clips of the session. The list is empty without a session',
  reply: Type.Object({
    clips: Type.Array(PlayClip),
  }),
});

export const configurePlay = route({
  method: 'POST',
  path: '/api/play/configure',
  tag: 'Play',
  summary: 'Starts a session with a policy, or changes the running session',
  slow: true,
  body: strictBody({
    run: Type.Optional(nameOf('Path of the run. Absent: the run of the current session, which must exist')),
    checkpoint: Type.Optional(
      Type.String({ description: '`""`: zero action. Absent: unchanged, or the latest checkpoint for a new session' }),
    ),
    motion: Type.Optional(
      nameOf("`path` of a motion library: see GET /api/play/libraries. Absent: unchanged, or the run's own"),
    ),
    num_envs: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Number of environments, at most `play.max_envs` (4096). Absent: unchanged, or 1',
      }),
    ),
    terminations: Type.Optional(
      Type.Boolean({ description: 'false: an episode continues when the robot fails. Absent: unchanged, or true' }),
    ),
    seed: Type.Optional(Type.Integer({ description: 'The same seed gives the same session' })),
  }),
  reply: Type.Union([SlowReply, ChangedInPlace]),
});

export const comparePolicies = route({
  method: 'POST',
  path: '/api/play/compare',
  tag: 'Play',
  summary: 'Plays 2 to 4 policies in lock step: same clip, same start, same pushes, same noise',
  slow: true,
  body: strictBody({
    entries: Type.Array(
      strictBody({
        run: nameOf('Path of the run'),
        checkpoint: Type.Optional(Type.String({ description: '`""`: zero action. Absent: the latest checkpoint' })),
      }),
      {
        minItems: 2,
        maxItems: 4,
        description: 'The policies to compare, all of the same robot and control rate. Environment k plays entry k',
      },
    ),
    motion: Type.Optional(nameOf('`path` of a motion library. Absent: the library of the first entry')),
    clip: Type.Optional(
      Type.Union([Type.String({ minLength: 1 }), Type.Integer()], {
        description: 'Name or index of a clip. Absent: the first clip',
      }),
    ),
    frame: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'Frame at which the clip starts' })),
    seed: Type.Optional(Type.Integer({ default: 0, description: 'The same seed gives the same comparison' })),
    layout: Type.Optional(CompareLayout),
  }),
  reply: SlowReply,
});

export const playWorst = route({
  method: 'POST',
  path: '/api/play/worst',
  tag: 'Play',
  summary: 'Plays a failure of an evaluation under its condition, from one second before the failure',
  slow: true,
  body: strictBody({
    evaluation: nameOf('Name of the evaluation'),
    row: Type.Integer({ minimum: 0, description: 'Index into `clips` of the evaluation' }),
  }),
  reply: SlowReply,
});

export const stopPlay = route({
  method: 'POST',
  path: '/api/play/stop',
  tag: 'Play',
  summary: 'Stops the session. Does nothing without a session',
  body: looseBody({}),
  reply: Ok,
});

export const setPlayPlaying = route({
  method: 'POST',
  path: '/api/play/playing',
  tag: 'Play',
  summary: 'Pauses or resumes the session',
  conflict: NO_SESSION,
  body: looseBody({ playing: Type.Optional(Type.Boolean({ description: 'Absent: toggles the state' })) }),
  reply: Type.Object({ ok: Type.Literal(true), playing: Type.Boolean() }),
});

export const stepPlay = route({
  method: 'POST',
  path: '/api/play/step',
  tag: 'Play',
  summary: 'Pauses the session and simulates one control step',
  conflict: NO_SESSION,
  body: looseBody({}),
  reply: Type.Object({ ok: Type.Literal(true), sim_time: Type.Number({ description: 'Simulated time, s' }) }),
});

export const restartPlay = route({
  method: 'POST',
  path: '/api/play/restart',
  tag: 'Play',
  summary: 'Restarts the episode of every environment',
  conflict: NO_SESSION,
  body: looseBody({}),
  reply: Ok,
});

export const pinClip = route({
  method: 'POST',
  path: '/api/play/clip',
  tag: 'Play',
  summary: 'Makes an environment repeat one clip',
  conflict: NO_SESSION,
  body: strictBody({
    clip: Type.Union([Type.String(), Type.Integer(), Type.Null()], {
      description: 'Name or index of a clip of the session: see GET /api/play/clips. null: any clip again',
    }),
    env: Type.Optional(env),
    frame: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'Frame at which the clip starts' })),
  }),
  reply: Ok,
});

export const focusEnv = route({
  method: 'POST',
  path: '/api/focus',
  tag: 'Play',
  summary: 'Selects the environment for metrics, plots and the camera',
  conflict: NO_SESSION,
  body: strictBody({ index: Type.Integer({ minimum: 0, description: 'Index of the environment' }) }),
  reply: Type.Object({ ok: Type.Literal(true), index: Type.Integer() }),
});

export const setPlayOptions = route({
  method: 'POST',
  path: '/api/play/options',
  tag: 'Play',
  summary: 'Sets ghost, markers and speed of the session. Absent fields keep their value',
  conflict: NO_SESSION,
  body: strictBody({
    ghost: Type.Optional(
      Type.Union([oneOf(['off', 'overlay', 'beside']), Type.Boolean()], {
        description: 'Where the reference motion is shown. `true`: `overlay`. `false`: `off`',
      }),
    ),
    targets: Type.Optional(Type.Boolean({ description: 'Marks the target positions of the key bodies' })),
    contacts: Type.Optional(Type.Boolean({ description: 'Marks contacts with the floor' })),
    speed: Type.Optional(Type.Number({ minimum: 0.05, maximum: 8, description: 'Multiple of real time' })),
  }),
  reply: Type.Object({ ok: Type.Literal(true), options: PlayOptions }),
});

/** Maximum speed of a push, m/s. A push of 2 m/s knocks a person over; above 20 m/s the simulation is not
 *  meaningful. */
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
      description: 'Added to the horizontal velocity of the root, m/s. Negative: the opposite direction',
    }),
    direction: Type.Optional(Type.Number({ description: 'Heading in the world, rad. Absent: random' })),
    env: Type.Optional(Type.Integer({ minimum: 0, description: 'Index of the environment. Absent: all environments' })),
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
    rewards: Type.Record(Type.String(), Type.Number(), {
      description: 'Weight by name of the term. Other terms keep their weight',
    }),
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
  summary: 'Downloads the record of the last 60 s of an environment',
  conflict: NO_SESSION,
  asksSender: true,
  query: Type.Object({
    env: Type.Optional(env),
    format: Type.Optional(oneOf(['npz', 'csv'], { default: 'npz' })),
  }),
  reply: { contentType: 'application/octet-stream', description: 'The record as npz or CSV' },
});
