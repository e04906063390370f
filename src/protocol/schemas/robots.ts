import { type Static, Type } from 'typebox';
import { nullable, oneOf } from '../route.ts';
import { DatasetCounts } from './data.ts';

export const Wiring = Type.Object(
  {
    anchor: Type.String({ description: 'Body whose frame is the reference for tracking errors' }),
    keybodies: Type.Array(Type.String(), { description: 'Bodies whose position is tracked' }),
    feet: Type.Array(Type.String(), { description: 'Bodies of the feet, left first' }),
  },
  { additionalProperties: false },
);
export type Wiring = Static<typeof Wiring>;

const positive = (description: string) => Type.Number({ exclusiveMinimum: 0, description });
const notNegative = (description: string) => Type.Number({ minimum: 0, description });

const GAINS = {
  stiffness: 'Position gain kp, Nm/rad',
  damping: 'Velocity gain kd, Nm·s/rad',
  armature: 'Reflected rotor inertia, kg·m²',
  effort_limit: 'Largest torque, Nm',
} as const;

/** Torque-speed curve of a motor. */
export const TorqueSpeed = Type.Object(
  {
    y1: positive('Torque at low speed while driving, Nm'),
    y2: positive('Torque at low speed while braking, Nm'),
    x1: positive('Speed at which the torque starts to fall, rad/s'),
    x2: positive('Speed at which the torque is zero, rad/s'),
  },
  { additionalProperties: false },
);

/** Contact parameters of the feet. */
export const FootContacts = Type.Object(
  {
    condim: Type.Optional(
      Type.Unsafe<1 | 3 | 4 | 6>({
        type: 'integer',
        enum: [1, 3, 4, 6],
        description: 'Dimensions of the contact friction, as in MuJoCo',
      }),
    ),
    friction: Type.Optional(notNegative('Sliding friction coefficient')),
    priority: Type.Optional(Type.Integer({ description: 'Contact priority, as in MuJoCo' })),
  },
  { additionalProperties: false },
);

/** States which parts of the robot can touch each other, and how its feet touch the floor. */
export const Contacts = Type.Object(
  {
    self_collision: Type.Optional(Type.Boolean({ description: 'Whether bodies of the robot collide with each other' })),
    feet: Type.Optional(FootContacts),
    exclude: Type.Optional(
      Type.Array(
        Type.Unsafe<readonly [string, string]>({
          type: 'array',
          items: { type: 'string' },
          minItems: 2,
          maxItems: 2,
        }),
        { description: 'Pairs of bodies that do not collide' },
      ),
    ),
  },
  { additionalProperties: false },
);

export const JointSpec = Type.Object(
  {
    default: Type.Number({ description: 'Position in the default pose, rad or m' }),
    stiffness: notNegative(GAINS.stiffness),
    damping: notNegative(GAINS.damping),
    armature: notNegative(GAINS.armature),
    effort_limit: positive(GAINS.effort_limit),
    action_scale: Type.Number({ description: 'Change of the target per unit of action, rad or m' }),
    velocity_limit: Type.Optional(positive('Largest speed, rad/s or m/s')),
    continuous_torque: Type.Optional(positive('Torque that the motor can hold without overheating, Nm')),
    torque_speed: Type.Optional(TorqueSpeed),
    friction: Type.Optional(
      Type.Object(
        { static: notNegative('Dry friction, Nm'), viscous: notNegative('Viscous friction, Nm·s/rad') },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type JointSpec = Static<typeof JointSpec>;

const ROOT_HEIGHT = 'Height of the root body above the floor in the default pose, m';

/** The content of `robots/<id>/robot.yaml`. */
export const RobotSpec = Type.Object(
  {
    version: Type.Literal(1),
    id: Type.String(),
    name: Type.String({ minLength: 1, maxLength: 128 }),
    model: Type.String({ minLength: 1, description: "Path of the MJCF or URDF file in the robot's folder" }),
    wiring: Wiring,
    root_height: Type.Number({ minimum: 0, description: ROOT_HEIGHT }),
    end_effectors: Type.Optional(Type.Array(Type.String(), { description: 'Bodies such as hands and feet' })),
    foot_sole_z: Type.Optional(
      Type.Number({
        minimum: 0,
        description:
          "Distance of the sole below the origin of the foot body, m. Absent: measured on the feet's collision shapes",
      }),
    ),
    contacts: Type.Optional(Contacts),
    joints: Type.Record(Type.String(), JointSpec, { description: 'Every actuated joint by name' }),
  },
  { additionalProperties: false },
);
export type RobotSpec = Static<typeof RobotSpec>;

/** A spec before its check. Accepts impossible values, such as a negative gain, so that the check can explain them. */
export const UncheckedSpec = Type.Object(
  {
    ...RobotSpec.properties,
    root_height: Type.Number({ description: ROOT_HEIGHT }),
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
      { description: 'Every actuated joint by name' },
    ),
  },
  { additionalProperties: false },
);

export const Joint = Type.Object({
  name: Type.String(),
  index: Type.Integer({ description: 'Column of the joint in CSV clips' }),
  type: oneOf(['hinge', 'slide']),
  lower: nullable(Type.Number({ description: 'Lower limit, in `unit`' })),
  upper: nullable(Type.Number({ description: 'Upper limit, in `unit`' })),
  default: Type.Number({ description: 'Position in the default pose, in `unit`' }),
  value: Type.Number({ description: 'Current position, in `unit`' }),
  effort_limit: nullable(Type.Number({ description: 'Nm' })),
  velocity_limit: nullable(Type.Number({ description: 'rad/s' })),
  stiffness: Type.Number({ description: GAINS.stiffness }),
  damping: Type.Number({ description: GAINS.damping }),
  unit: oneOf(['rad', 'm']),
  follows: Type.Optional(
    Type.String({ description: 'Joint that moves this one. Absent for joints with a motor of their own' }),
  ),
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
      height: Type.Number({ description: 'Height in the default pose, m' }),
    }),
  ),
  datasets: Type.Array(DatasetCounts),
  runs: Type.Array(Type.String(), { description: 'Paths of its runs' }),
  tasks: Type.Array(Type.String(), { description: 'Names of its tasks' }),
  error: nullable(Type.String({ description: 'Why the robot cannot be loaded' })),
});
export type RobotSummary = Static<typeof RobotSummary>;

export const RobotOptions = Type.Object({
  show_wiring: Type.Boolean({ description: 'Marks the anchor, the key bodies and the feet' }),
});

export const Robot = Type.Object({
  id: Type.String(),
  name: Type.String(),
  source: oneOf(['builtin', 'created']),
  joints: Type.Array(Joint),
  wiring: Wiring,
  tasks: Type.Array(Type.String()),
  options: RobotOptions,
  model_version: Type.Integer({ description: 'Changes with the geometry of the scene' }),
  root: Type.Array(Type.Number(), {
    minItems: 7,
    maxItems: 7,
    description: 'Pose of the root: x y z in m, quaternion w x y z',
  }),
});
export type Robot = Static<typeof Robot>;

const vector3 = (description: string) => Type.Array(Type.Number(), { minItems: 3, maxItems: 3, description });

export const Geom = Type.Object({
  name: Type.String(),
  body: Type.Integer({ description: 'Index into `bodies`' }),
  type: oneOf(['mesh', 'box', 'sphere', 'capsule', 'cylinder', 'ellipsoid', 'plane']),
  pos: vector3('Position in the body frame, m'),
  quat: Type.Array(Type.Number(), {
    minItems: 4,
    maxItems: 4,
    description: 'Rotation in the body frame, quaternion wxyz',
  }),
  size: vector3('Half sizes as in MuJoCo, m'),
  rgba: Type.Array(Type.Number(), { minItems: 4, maxItems: 4, description: 'Red, green, blue (sRGB), opacity, 0..1' }),
  group: Type.Integer({ description: 'MuJoCo geom group' }),
  mesh: nullable(Type.Integer({ description: 'Index into `meshes`' })),
  collision: Type.Boolean({ description: 'Whether it takes part in contacts' }),
  texture: nullable(
    Type.String({
      description: 'Picture of the surface, multiplied with `rgba`: `GET /api/robot/texture/{name}`. Null: plain',
    }),
  ),
});
export type Geom = Static<typeof Geom>;

const range = (description: string) => Type.Array(Type.Integer(), { minItems: 2, maxItems: 2, description });

export const Mesh = Type.Object({
  name: Type.String(),
  vert: range('First vertex and number of vertices in model.bin'),
  face: range('First face and number of faces in model.bin'),
  uv: nullable(
    range('First texture coordinate and their number in model.bin, one for each vertex of the mesh. Null: none'),
  ),
});
export type Mesh = Static<typeof Mesh>;

export const SceneModel = Type.Object({
  version: Type.Integer({ description: 'The same number as `model_version` in the frames' }),
  robot: Type.String(),
  bodies: Type.Array(
    Type.Object({
      name: Type.String(),
      parent: Type.Integer({ description: 'Index into `bodies`; −1 for the world' }),
      fixed: Type.Boolean({ description: 'Whether it has no joint, so that it moves with its parent' }),
    }),
    { description: 'Bodies without the world, in the order of the poses in frames' },
  ),
  geoms: Type.Array(Geom),
  meshes: Type.Array(Mesh),
  bin: Type.Object(
    {
      bytes: Type.Integer(),
      nv: Type.Integer({ description: 'Number of vertices' }),
      nf: Type.Integer({ description: 'Number of faces' }),
    },
    { description: 'Size of model.bin' },
  ),
});
export type SceneModel = Static<typeof SceneModel>;
