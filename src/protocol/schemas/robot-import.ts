import { Type } from 'typebox';
import { oneOf } from '../route.ts';
import { Check } from './busy.ts';

/** A file of an uploaded model folder. */
export const ModelFile = Type.Object({
  path: Type.String({ description: 'Path in the upload' }),
  bytes: Type.Integer(),
  kind: oneOf(['mjcf', 'urdf', 'mesh', 'texture', 'other']),
  main: Type.Boolean({ description: 'Whether it is probably the main model' }),
});

/** Suggested gains of one joint and their source. */
export const JointGains = Type.Object({
  stiffness: Type.Number({ description: 'Nm/rad' }),
  damping: Type.Number({ description: 'Nm·s/rad' }),
  armature: Type.Number({ description: 'kg·m²' }),
  effort_limit: Type.Number({ description: 'Nm' }),
  source: Type.String({ description: 'Where the values come from' }),
});

/** Gains of one joint, loaded from a file or another robot. */
export const LoadedGains = Type.Object({
  ...JointGains.properties,
  action_scale: Type.Number({ description: 'Change of the target per unit of action, rad or m' }),
  stated: Type.Array(oneOf(['stiffness', 'damping', 'armature', 'effort_limit', 'action_scale']), {
    description: 'Which of the values the file or robot states. The others are those of the spec',
  }),
});

/** Result of one check of a robot draft. */
export const DraftCheck = Type.Object({
  ...Check.properties,
  warning: Type.Optional(Type.Boolean({ description: 'Passed, but the text describes a possible problem' })),
  exclude: Type.Optional(
    Type.Array(Type.Array(Type.String(), { minItems: 2, maxItems: 2 }), {
      description: 'Pairs of bodies. Adding them to `contacts.exclude` makes the check pass',
    }),
  ),
});
