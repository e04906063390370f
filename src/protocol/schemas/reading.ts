import { type Static, Type } from 'typebox';
import { oneOf, strictBody } from '../route.ts';

/** Possible orders of a quaternion's components. */
export const QUATERNION_ORDERS = ['xyzw', 'wxyz'] as const;
export type QuaternionOrder = (typeof QUATERNION_ORDERS)[number];
/** Length units, in metres. */
export const LENGTH_UNITS = { m: 1, cm: 0.01, mm: 0.001 } as const;
export type LengthUnit = keyof typeof LENGTH_UNITS;

/** Read options, which override what clip files or their formats state. */
export const ReadOptions = strictBody({
  fps: Type.Optional(Type.Number({ minimum: 1, maximum: 1000, description: 'Frames per second of the file' })),
  units: Type.Optional(
    oneOf(Object.keys(LENGTH_UNITS) as LengthUnit[], { description: "Unit of the root's position in the file" }),
  ),
  quaternion: Type.Optional(
    oneOf(QUATERNION_ORDERS, { description: "Order of the numbers of the root's quaternion in the file" }),
  ),
  joint_order: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
      minItems: 1,
      maxItems: 1024,
      description: "Names of the joints in the order of the file's columns",
    }),
  ),
});
export type ReadOptions = Static<typeof ReadOptions>;

/** A property that was assumed while reading a clip file, with the source of its value. */
export const Assumption = Type.Object({
  what: oneOf(['fps', 'units', 'quaternion', 'joint_order', 'up']),
  value: Type.Union([Type.String(), Type.Number()], {
    description:
      'Frames per second; unit of positions (`m`, `cm`, `mm`); `xyzw`, `wxyz`, or another word where the file has no quaternion (`euler_xyz`); joints as `named` in the file or in the order of the `robot`; axis that points up',
  }),
  from: oneOf(['file', 'format', 'guess'], {
    description:
      '`file`: the file states it. `format`: every file of the format has it. `guess`: judged by the numbers, or a default',
  }),
});
export type Assumption = Static<typeof Assumption>;
