import { Type } from 'typebox';
import { oneOf } from '../route.ts';
import { Check } from './busy.ts';

/** A file of a model's folder. */
export const ModelFile = Type.Object({
  path: Type.String(),
  bytes: Type.Integer(),
  kind: oneOf(['mjcf', 'urdf', 'mesh', 'texture', 'other']),
  main: Type.Boolean({ description: 'likely the main model' }),
});

/** Suggested gains of one joint and where they come from. */
export const JointGains = Type.Object({
  stiffness: Type.Number({ description: 'Nm/rad' }),
  damping: Type.Number({ description: 'Nm·s/rad' }),
  armature: Type.Number({ description: 'kg·m²' }),
  effort_limit: Type.Number({ description: 'Nm' }),
  source: Type.String({ description: 'where the figures come from' }),
});

/** A check of a draft. */
export const DraftCheck = Type.Object({
  ...Check.properties,
  warning: Type.Optional(Type.Boolean({ description: 'passed, but worth a look' })),
  exclude: Type.Optional(
    Type.Array(Type.Array(Type.String(), { minItems: 2, maxItems: 2 }), {
      description: 'pairs of bodies which, put into `contacts.exclude`, would make it pass',
    }),
  ),
});
