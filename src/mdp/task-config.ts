/** The configuration of a task, with the keys of `params/env.yaml` and `agent.yaml` of the original project (upstream,
 *  wbc_mjlab). Presets override it, runs record it, and environments are built from it. It is plain JSON; numbers are
 *  finite unless a comment says otherwise. The order of terms determines the order of their values. */
export interface TaskConfig {
  /** physics steps per control step */
  readonly decimation: number;
  readonly episode_length_s: number;
  readonly seed: number;
  /** whether to multiply each reward by the duration of the control step, s */
  readonly scale_rewards_by_dt: boolean;
  readonly scene: SceneConfig;
  readonly sim: SimConfig;
  readonly observations: Readonly<Record<string, ObservationGroupConfig>>;
  readonly actions: { readonly joint_pos: JointPositionActionConfig };
  readonly commands: { readonly motion: MotionCommandConfig };
  readonly rewards: Readonly<Record<string, RewardTermConfig>>;
  readonly terminations: Readonly<Record<string, TerminationTermConfig>>;
  readonly events: Readonly<Record<string, EventTermConfig>>;
  readonly agent: AgentConfig;
  /** robot values from the files of a policy; default: the values in the robot's spec */
  readonly robot?: RobotOverrides;
  /** changes of the simulation for evaluating a policy; default: the simulation of the training */
  readonly variation?: SimVariation;
}

/** Deviations of the simulation from the training, for evaluations. */
export interface SimVariation {
  /** defaults: those of the robot's model */
  readonly integrator?: 'euler' | 'implicit' | 'implicitfast' | 'rk4';
  readonly solver?: 'newton' | 'cg' | 'pgs';
  readonly cone?: 'pyramidal' | 'elliptic';
  /** sliding friction of all geoms; default: that of each geom */
  readonly friction?: number;
  /** delay with which joint targets reach the motors, control steps; default 0 */
  readonly delay_steps?: number;
  /** factor on masses and inertias, default 1 */
  readonly mass_scale?: number;
  /** factor on effort limits and torque-speed curves, default 1 */
  readonly torque_scale?: number;
}

export type ParamValue = number | boolean | string | null | readonly number[] | readonly string[];
export type Params = Readonly<Record<string, ParamValue>>;
/** Lowest and highest value of a uniform random number. */
type Range = readonly [number, number];

export interface SceneConfig {
  readonly num_envs: number;
  /** distance between neighbours in the grid, m */
  readonly env_spacing: number;
  readonly terrain: TerrainConfig;
}

export interface TerrainConfig {
  readonly type: 'plane' | 'rough' | 'slopes' | 'stairs';
  /** amplitude of roughness or height of a step, m */
  readonly height: number;
  /** rise per run of slopes */
  readonly slope: number;
  /** side length of a tile, m */
  readonly tile_size: number;
  readonly seed: number;
}

export interface SimConfig {
  /** s */
  readonly timestep: number;
  readonly iterations: number;
  readonly ls_iterations: number;
  /** which geoms have contacts. `all`: those of the robot's model; `light`: the same, with few per foot, see
   *  keepLightContacts; `soles`: only these few, see keepSoleContacts; `profile` (default): `light`
   *  in a training of the built-in trainer, `all` elsewhere */
  readonly contacts?: 'profile' | 'all' | 'light' | 'soles';
  readonly gravity: readonly [number, number, number];
}

export interface ObservationGroupConfig {
  readonly terms: Readonly<Record<string, ObservationTermConfig>>;
  /** false: no term has noise */
  readonly enable_corruption: boolean;
  /** overrides the history length of every term; null: each term keeps its length */
  readonly history_length: number | null;
}

/** Processing order: compute → noise → clip → scale → delay → history. */
export interface ObservationTermConfig {
  /** name in the registry of observations */
  readonly func: string;
  readonly params: Params;
  /** uniform noise that is added; a list has one value per dimension */
  readonly noise: { readonly n_min: number | readonly number[]; readonly n_max: number | readonly number[] } | null;
  /** factor of the noise range */
  readonly noise_scale: number;
  readonly clip: Range | null;
  readonly scale: number | readonly number[] | null;
  /** limits of the random delay, control steps */
  readonly delay_min_lag: number;
  readonly delay_max_lag: number;
  /** number of values in the history, oldest first; 0 and 1: only the newest value */
  readonly history_length: number;
}

export interface JointPositionActionConfig {
  /** target = base + scale · action, where the base is the reference frame or the default pose */
  readonly action_mode: 'reference_residual' | 'default_relative';
  /** rad per unit, in joint order; null: the robot's `action_scale` */
  readonly scale: readonly number[] | null;
  /** multiplies `scale` */
  readonly scale_factor: number;
  /** limits of raw actions; null: unlimited */
  readonly clip: Range | null;
}

export interface RewardTermConfig {
  readonly func: string;
  readonly weight: number;
  readonly params: Params;
}

export interface TerminationTermConfig {
  readonly func: string;
  /** whether the termination is a truncation instead of a failure */
  readonly time_out: boolean;
  readonly params: Params;
}

export interface EventTermConfig {
  readonly func: string;
  readonly mode: 'startup' | 'reset' | 'interval' | 'step';
  /** time between two applications in an environment, s; null for modes other than `interval` */
  readonly interval_range_s: Range | null;
  readonly params: Params;
}

/** Ranges by axis: x y z in m or m/s, roll pitch yaw in rad or rad/s; an absent axis is not changed. */
export type PoseRange = Readonly<Partial<Record<'x' | 'y' | 'z' | 'roll' | 'pitch' | 'yaw', Range>>>;

export interface MotionCommandConfig {
  /** names of bodies */
  readonly anchor_body: string;
  readonly body_names: readonly string[];
  readonly ee_body_names: readonly string[];
  /** random offsets from the reference state at a reset */
  readonly pose_range: PoseRange;
  readonly velocity_range: PoseRange;
  readonly joint_position_range: Range;
  readonly rsi: ReferenceStateInitConfig;
}

export interface ReferenceStateInitConfig {
  readonly sampling_mode: 'adaptive' | 'uniform' | 'start';
  readonly strategy: 'similarity_ema' | 'binary_failure';
  /** whether most episodes of a short motion start shortly before recent failures: see AdaptiveSampling. Only the
   *  built-in trainer has it; absent: false */
  readonly before_failures?: boolean;
  readonly bin_width_s: number;
  readonly uniform_ratio: number;
  readonly alpha: number;
  readonly temperature_base: number;
  readonly similarity_norm_by_remaining_clip: boolean;
  readonly persist_failure_levels: boolean;
  readonly min_bin_span_ratio: number;
  /** tracking rewards whose mean is the similarity, with their weights */
  readonly similarity_terms: Readonly<Record<string, { readonly weight: number; readonly std: number }>>;
  readonly similarity_from_rewards: boolean;
}

/** PPO and networks, with the keys of rsl_rl. */
export interface AgentConfig {
  readonly num_steps_per_env: number;
  readonly max_iterations: number;
  readonly save_interval: number;
  /** iterations at the start in which the policy imitates whole-body control, at most a tenth of all; absent: 0 */
  readonly guided_iterations?: number;
  readonly experiment_name: string;
  /** whether networks with the default widths are wider for long motions; absent: false */
  readonly widen_networks?: boolean;
  readonly actor: NetworkConfig & { readonly init_std: number; readonly last_layer_scale: number };
  readonly critic: NetworkConfig;
  readonly algorithm: PpoConfig;
}

export interface NetworkConfig {
  readonly hidden_dims: readonly number[];
  readonly activation: 'elu' | 'relu' | 'tanh' | 'silu';
  readonly obs_normalization: boolean;
}

export interface PpoConfig {
  readonly learning_rate: number;
  readonly schedule: 'adaptive' | 'fixed';
  readonly desired_kl: number;
  readonly gamma: number;
  readonly lam: number;
  /** λ of the advantages; absent: the value of `lam`, which is always the λ of the value targets */
  readonly advantage_lam?: number;
  /** whether the networks are symmetric if the robot is: a mirrored state gives the mirrored action; absent: false */
  readonly symmetry?: boolean;
  readonly clip_param: number;
  readonly entropy_coef: number;
  readonly value_loss_coef: number;
  readonly use_clipped_value_loss: boolean;
  readonly num_learning_epochs: number;
  readonly num_mini_batches: number;
  readonly max_grad_norm: number;
}

/** In joint order of the robot. */
export interface RobotOverrides {
  readonly stiffness?: readonly number[];
  readonly damping?: readonly number[];
  readonly effort_limit?: readonly number[];
  readonly default_joint_pos?: readonly number[];
}
