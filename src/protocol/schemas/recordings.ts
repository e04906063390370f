import { type Static, Type } from 'typebox';
import { nullable, oneOf } from '../route.ts';
import { SCENE_OWNERS } from '../scene-owners.ts';

export const RecordingFormat = oneOf(['mcap', 'npz'], {
  description: '`mcap`: for Foxglove, Lichtblick, Rerun and the studio; `npz`: for numpy and the studio',
});

export const Recording = Type.Object(
  {
    name: Type.String({ description: 'File name without its ending' }),
    format: RecordingFormat,
    state: oneOf(['recording', 'done', 'cut'], {
      description:
        '`cut`: the recording ended before a stop or its time limit. The file is readable up to its last complete chunk',
    }),
    bytes: Type.Integer(),
    duration: nullable(Type.Number({ description: 's of wall time; null: unknown' })),
    robot: nullable(Type.String({ description: 'Id of the robot at the start' })),
    owner: nullable(oneOf(SCENE_OWNERS, { description: 'Owner of the scene at the start' })),
    created: Type.String({ description: 'ISO-8601 UTC' }),
    reason: nullable(Type.String({ description: 'Why the recording ended early' })),
    error: nullable(Type.String({ description: 'Why the studio cannot open it' })),
  },
  { description: 'A recording of the scene' },
);
export type Recording = Static<typeof Recording>;
