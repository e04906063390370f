import { type TSchema, Type } from 'typebox';
import { badInput } from '../../core/errors.ts';
import { placeOf, problemOf } from '../../core/validation.ts';
import type { TaskConfig } from '../../mdp/task-config.ts';

const MAX_HISTORY = 1000;
const MAX_WIDTH = 8192;

const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const oneOf = (values: readonly string[]) => Type.Union(values.map((value) => Type.Literal(value)));
const strict = (properties: Record<string, TSchema>) => Type.Object(properties, { additionalProperties: false });
/** Lowest and highest value of a range. */
const Range = Type.Array(Type.Number(), { minItems: 2, maxItems: 2 });
const Numbers = Type.Array(Type.Number());
const Names = Type.Array(Type.String());
const Params = Type.Record(
  Type.String(),
  Type.Union([Type.Number(), Type.Boolean(), Type.String(), Type.Null(), Numbers, Names]),
);
const Positive = Type.Number({ exclusiveMinimum: 0 });
const Bound = Type.Union([Type.Number(), Numbers]);

const ObservationTerm = strict({
  func: Type.String(),
  params: Params,
  noise: nullable(strict({ n_min: Bound, n_max: Bound })),
  noise_scale: Type.Number({ minimum: 0 }),
  clip: nullable(Range),
  scale: nullable(Bound),
  delay_min_lag: Type.Integer({ minimum: 0, maximum: MAX_HISTORY }),
  delay_max_lag: Type.Integer({ minimum: 0, maximum: MAX_HISTORY }),
  history_length: Type.Integer({ minimum: 0, maximum: MAX_HISTORY }),
});

const PoseRange = strict(
  Object.fromEntries(['x', 'y', 'z', 'roll', 'pitch', 'yaw'].map((axis) => [axis, Type.Optional(Range)])),
);

const Network = {
  hidden_dims: Type.Array(Type.Integer({ minimum: 1, maximum: MAX_WIDTH }), { maxItems: 32 }),
  activation: oneOf(['elu', 'relu', 'tanh', 'silu']),
  obs_normalization: Type.Boolean(),
};

/** {@link TaskConfig} as a schema, for files from untrusted sources. Unknown fields are allowed where the service would
 *  ignore them, so that an older service can play runs of a newer one. */
const TaskSchema = Type.Object({
  decimation: Type.Integer({ minimum: 1, maximum: 1000 }),
  episode_length_s: Positive,
  seed: Type.Integer(),
  scale_rewards_by_dt: Type.Boolean(),
  scene: Type.Object({
    num_envs: Type.Integer({ minimum: 1 }),
    env_spacing: Type.Number({ minimum: 0 }),
    terrain: Type.Object({
      type: oneOf(['plane', 'rough', 'slopes', 'stairs']),
      height: Type.Number(),
      slope: Type.Number(),
      tile_size: Positive,
      seed: Type.Integer(),
    }),
  }),
  sim: Type.Object({
    timestep: Type.Number({ exclusiveMinimum: 0, maximum: 0.1 }),
    iterations: Type.Integer({ minimum: 1, maximum: 1000 }),
    ls_iterations: Type.Integer({ minimum: 1, maximum: 1000 }),
    gravity: Type.Array(Type.Number(), { minItems: 3, maxItems: 3 }),
  }),
  observations: Type.Record(
    Type.String(),
    Type.Object({
      terms: Type.Record(Type.String(), ObservationTerm),
      enable_corruption: Type.Boolean(),
      history_length: nullable(Type.Integer({ minimum: 0, maximum: MAX_HISTORY })),
    }),
  ),
  actions: strict({
    joint_pos: strict({
      action_mode: oneOf(['reference_residual', 'default_relative']),
      scale: nullable(Numbers),
      scale_factor: Type.Number(),
      clip: nullable(Range),
    }),
  }),
  commands: strict({
    motion: Type.Object({
      anchor_body: Type.String(),
      body_names: Names,
      ee_body_names: Names,
      pose_range: PoseRange,
      velocity_range: PoseRange,
      joint_position_range: Range,
      rsi: Type.Object({
        sampling_mode: oneOf(['adaptive', 'uniform', 'start']),
        strategy: oneOf(['similarity_ema', 'binary_failure']),
        before_failures: Type.Optional(Type.Boolean()),
        bin_width_s: Positive,
        uniform_ratio: Type.Number({ minimum: 0, maximum: 1 }),
        alpha: Type.Number({ minimum: 0, maximum: 1 }),
        temperature_base: Positive,
        similarity_norm_by_remaining_clip: Type.Boolean(),
        persist_failure_levels: Type.Boolean(),
        min_bin_span_ratio: Type.Number({ minimum: 0, maximum: 1 }),
        similarity_terms: Type.Record(Type.String(), strict({ weight: Type.Number(), std: Positive })),
        similarity_from_rewards: Type.Boolean(),
      }),
    }),
  }),
  rewards: Type.Record(Type.String(), strict({ func: Type.String(), weight: Type.Number(), params: Params })),
  terminations: Type.Record(Type.String(), strict({ func: Type.String(), time_out: Type.Boolean(), params: Params })),
  events: Type.Record(
    Type.String(),
    strict({
      func: Type.String(),
      mode: oneOf(['startup', 'reset', 'interval', 'step']),
      interval_range_s: nullable(Range),
      params: Params,
    }),
  ),
  agent: Type.Object({
    actor: Type.Object(Network),
  }),
  robot: Type.Optional(
    strict({
      stiffness: Type.Optional(Numbers),
      damping: Type.Optional(Numbers),
      effort_limit: Type.Optional(Numbers),
      default_joint_pos: Type.Optional(Numbers),
    }),
  ),
  variation: Type.Optional(strict({})),
});

/** Checks a task configuration from an untrusted source. @param file name of the file, for messages @throws StudioError
 *  bad_input that names file and field */
export function checkTaskConfig(value: unknown, file: string): TaskConfig {
  const problem = problemOf(TaskSchema, value);
  if (problem) throw badInput(`${file}: ${placeOf(problem.path, 'the configuration')}: ${problem.text}`);
  return value as TaskConfig;
}
