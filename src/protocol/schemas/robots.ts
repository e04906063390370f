import { type Static, Type } from 'typebox';
import { nullable, oneOf } from '../route.ts';
import { DatasetCounts } from './data.ts';

export const Wiring = Type.Object(
  {
    anchor: Type.String({ description: 'body whose frame tracking is measured in' }),
    keybodies: Type.Array(Type.String()),
    feet: Type.Array(Type.String(), { description: 'left first' }),
  },
  { additionalProperties: false },
);
export type Wiring = Static<typeof Wiring>;

const positive = (description: string) => Type.Number({ exclusiveMinimum: 0, description });
const notNegative = (description: string) => Type.Number({ minimum: 0, description });

const GAINS = {
  stiffness: 'position gain kp, Nm/rad',
  damping: 'velocity gain kd, Nm·s/rad',
  armature: 'reflected rotor inertia, kg·m²',
  effort_limit: 'Nm',
} as const;

/** Torque over speed of a motor. */
export const TorqueSpeed = Type.Object(
  {
    y1: positive('Nm at low speed while driving'),
    y2: positive('Nm at low speed while braking'),
    x1: positive('rad/s where torque begins to fall'),
    x2: positive('rad/s where torque is zero'),
  },
  { additionalProperties: false },
);

/** How the feet touch the floor. */
export const FootContacts = Type.Object(
  {
    condim: Type.Optional(Type.Unsafe<1 | 3 | 4 | 6>({ type: 'integer', enum: [1, 3, 4, 6] })),
    friction: Type.Optional(notNegative('sliding friction')),
    priority: Type.Optional(Type.Integer()),
  },
  { additionalProperties: false },
);

/** What of a robot may touch. */
export const Contacts = Type.Object(
  {
    self_collision: Type.Optional(Type.Boolean()),
    feet: Type.Optional(FootContacts),
    exclude: Type.Optional(
      Type.Array(
        Type.Unsafe<readonly [string, string]>({
          type: 'array',
          items: { type: 'string' },
          minItems: 2,
          maxItems: 2,
        }),
      ),
    ),
  },
  { additionalProperties: false },
);

export const JointSpec = Type.Object(
  {
    default: Type.Number({ description: 'rad or m' }),
    stiffness: notNegative(GAINS.stiffness),
    damping: notNegative(GAINS.damping),
    armature: notNegative(GAINS.armature),
    effort_limit: positive(GAINS.effort_limit),
    action_scale: Type.Number({ description: 'rad of target per unit of action' }),
    velocity_limit: Type.Optional(positive('rad/s')),
    torque_speed: Type.Optional(TorqueSpeed),
    friction: Type.Optional(
      Type.Object({ static: notNegative('Nm'), viscous: notNegative('Nm·s/rad') }, { additionalProperties: false }),
    ),
  },
  { additionalProperties: false },
);
export type JointSpec = Static<typeof JointSpec>;

/** `robots/<id>/robot.yaml`. */
export const RobotSpec = Type.Object(
  {
    version: Type.Literal(1),
    id: Type.String(),
    name: Type.String({ minLength: 1, maxLength: 128 }),
    model: Type.String({ minLength: 1, description: "path of the MJCF or URDF in the robot's folder" }),
    wiring: Wiring,
    root_height: Type.Number({ description: 'm, of the root body above the floor in the default pose' }),
    end_effectors: Type.Optional(Type.Array(Type.String())),
    foot_sole_z: Type.Optional(
      Type.Number({
        minimum: 0,
        description: "m below the foot body's origin, positive; absent: measured on the feet's collision shapes",
      }),
    ),
    contacts: Type.Optional(Contacts),
    joints: Type.Record(Type.String(), JointSpec, { description: 'every actuated joint' }),
  },
  { additionalProperties: false },
);
export type RobotSpec = Static<typeof RobotSpec>;

/** A spec as it comes to be checked: figures that no robot can have are for the check to find and to explain. */
export const UncheckedSpec = Type.Object(
  {
    ...RobotSpec.properties,
    joints: Type.Record(
      Type.String(),
      Type.Object(
        {
          ...JointSpec.properties,
          stiffness: Type.Number({ description: GAINS.stiffness }),
          damping: Type.Number({ description: GAINS.damping }),
          armature: Type.Number({ description: GAINS.armature }),
          effort_limit: Type.Number({ description: GAINS.effort_limit }),
        },
        { additionalProperties: false },
      ),
      { description: 'every actuated joint' },
    ),
  },
  { additionalProperties: false },
);

export const Joint = Type.Object({
  name: Type.String(),
  index: Type.Integer({ description: 'position in the column order of CSV clips' }),
  type: oneOf(['hinge', 'slide']),
  lower: nullable(Type.Number()),
  upper: nullable(Type.Number()),
  default: Type.Number(),
  value: Type.Number(),
  effort_limit: nullable(Type.Number({ description: 'Nm' })),
  velocity_limit: nullable(Type.Number({ description: 'rad/s' })),
  stiffness: Type.Number(),
  damping: Type.Number(),
  unit: oneOf(['rad', 'm']),
  follows: Type.Optional(Type.String({ description: 'joint that leads this one, which has no motor of its own' })),
});
export type Joint = Static<typeof Joint>;

export const RobotSummary = Type.Object({
  id: Type.String(),
  name: Type.String(),
  source: oneOf(['builtin', 'created']),
  selected: Type.Boolean(),
  model: nullable(
    Type.Object({
      bodies: Type.Integer(),
      joints: Type.Integer(),
      actuators: Type.Integer(),
      mass: Type.Number({ description: 'kg' }),
      height: Type.Number({ description: 'm, default pose' }),
    }),
  ),
  datasets: Type.Array(DatasetCounts),
  runs: Type.Array(Type.String()),
  tasks: Type.Array(Type.String()),
  error: nullable(Type.String({ description: 'why the robot does not load' })),
});
export type RobotSummary = Static<typeof RobotSummary>;

export const RobotOptions = Type.Object({ show_wiring: Type.Boolean() });

export const Robot = Type.Object({
  id: Type.String(),
  name: Type.String(),
  source: oneOf(['builtin', 'created']),
  joints: Type.Array(Joint),
  wiring: Wiring,
  tasks: Type.Array(Type.String()),
  options: RobotOptions,
  model_version: Type.Integer(),
  root: Type.Array(Type.Number(), { minItems: 7, maxItems: 7, description: 'x y z, quaternion w x y z' }),
});
export type Robot = Static<typeof Robot>;

const vector3 = (description: string) => Type.Array(Type.Number(), { minItems: 3, maxItems: 3, description });

export const Geom = Type.Object({
  name: Type.String(),
  body: Type.Integer({ description: 'index into bodies' }),
  type: oneOf(['mesh', 'box', 'sphere', 'capsule', 'cylinder', 'ellipsoid', 'plane']),
  pos: vector3('m, in the body frame'),
  quat: Type.Array(Type.Number(), { minItems: 4, maxItems: 4, description: 'wxyz, in the body frame' }),
  size: vector3('MuJoCo half sizes'),
  rgba: Type.Array(Type.Number(), { minItems: 4, maxItems: 4, description: '0..1' }),
  group: Type.Integer(),
  mesh: nullable(Type.Integer({ description: 'index into meshes' })),
  collision: Type.Boolean(),
});
export type Geom = Static<typeof Geom>;

const range = (description: string) => Type.Array(Type.Integer(), { minItems: 2, maxItems: 2, description });

export const Mesh = Type.Object({
  name: Type.String(),
  vert: range('[first, count]'),
  face: range('[first, count]'),
});
export type Mesh = Static<typeof Mesh>;

export const SceneModel = Type.Object({
  version: Type.Integer({ description: 'equals `model_version` of the frames' }),
  robot: Type.String(),
  bodies: Type.Array(
    Type.Object({ name: Type.String(), parent: Type.Integer({ description: 'index into bodies, −1 for the world' }) }),
    { description: 'without the world; the order of poses in frames' },
  ),
  geoms: Type.Array(Geom),
  meshes: Type.Array(Mesh),
  bin: Type.Object({ bytes: Type.Integer(), nv: Type.Integer(), nf: Type.Integer() }),
});
export type SceneModel = Static<typeof SceneModel>;
