import { type Static, Type } from 'typebox';
import { CHECK_KINDS, type CheckKind } from '../check-kinds.ts';
import { nullable, oneOf } from '../route.ts';
import { Tags, Weight } from './clip-marks.ts';
import { Assumption, ReadOptions } from './reading.ts';

export const Scan = Type.Object({
  hours: Type.Number({ description: 'Total duration of the readable clips, h' }),
  clips: Type.Integer({ description: 'Readable clips' }),
  unreadable: Type.Array(Type.Object({ clip: Type.String(), error: Type.String() }), {
    description: 'Clips that cannot be read; at most the first 500',
  }),
  unreadable_total: Type.Optional(Type.Integer({ description: 'Number of all unreadable clips' })),
  histogram: Type.Object({
    edges: Type.Array(Type.Number(), { description: 'Edges of the bins, s; one more than `counts`' }),
    counts: Type.Array(Type.Integer(), { description: 'Clips whose duration is in the bin' }),
  }),
  at: Type.String({ description: 'Time of the scan, ISO-8601 UTC' }),
});
export type Scan = Static<typeof Scan>;

export const DatasetCounts = Type.Object({
  name: Type.String(),
  source: Type.Integer({ description: 'Clips with a raw file' }),
  converted: Type.Integer({ description: 'Clips with a raw file and an up-to-date npz' }),
  missing: Type.Integer({ description: 'Clips with a raw file but without an up-to-date npz' }),
  extra: Type.Integer({ description: 'Clips with only an npz, including mirrored clips' }),
  failed: Type.Integer({ description: 'Clips whose last conversion failed' }),
  linked: Type.Boolean({ description: 'Whether the clips are in a linked folder outside the workspace' }),
  path: Type.String({ description: 'Folder of the clips' }),
  scan: nullable(Scan),
  read: Type.Optional(ReadOptions),
  error: Type.Optional(nullable(Type.String({ description: 'Why the dataset cannot be used' }))),
});
export type DatasetCounts = Static<typeof DatasetCounts>;

export const ClipScore = Type.Object(
  {
    feasibility: Type.Number({ description: '0 (impossible for the robot) to 1' }),
    complexity: Type.Number({ description: '0 (at rest) to 1' }),
    torque: Type.Number({ description: 'Peak torque as a share of its limit, 95th percentile over time' }),
    support: Type.Number({
      description: 'Mean distance, m, of the zero moment point from the area that touches the floor',
    }),
    collision: Type.Number({ description: 'Share of the time in which bodies overlap' }),
    jerk: Type.Number({ description: '95th percentile over key bodies and time, m/s³' }),
    airborne: Type.Number({ description: 'Share of the time in which nothing touches the floor' }),
  },
  { description: 'How well the robot can do the clip; null until the clip is checked. Defined in docs/curation.md' },
);
export type ClipScore = Static<typeof ClipScore>;

export const Clip = Type.Object({
  name: Type.String(),
  status: oneOf(['converted', 'missing'], {
    description:
      '`missing`: it has a raw file but no up-to-date npz. A stale clip without a raw file is `converted` and `stale`',
  }),
  failed: nullable(
    Type.String({
      description: 'Why the last conversion failed; null once the source or the options in dataset.yaml change',
    }),
  ),
  excluded: Type.Boolean({ description: 'Whether it is left out of training, evaluation and motion libraries' }),
  weight: Weight,
  tags: Tags,
  raw: Type.Boolean({ description: 'Whether it has a raw file' }),
  stale: Type.Boolean({
    description: 'Whether the npz is older than the source or was made with other options than those in dataset.yaml',
  }),
  source: nullable(
    Type.Object(
      {
        file: Type.String(),
        format: Type.String(),
        bytes: Type.Integer(),
        assumed: Type.Array(Assumption, {
          description: 'What is assumed to read the file, without what `convert.read` of dataset.yaml overrides',
        }),
      },
      { description: 'The raw file; null without one' },
    ),
  ),
  frames: nullable(Type.Integer()),
  fps: nullable(Type.Number({ description: 'Frames per second' })),
  duration: nullable(Type.Number({ description: 's' })),
  modified: Type.String({ description: 'ISO-8601 UTC' }),
  qa: nullable(
    Type.Object(
      { worst: oneOf(['ok', 'info', 'warning', 'error']), issues: Type.Integer() },
      { description: 'Result of the checks without ignored issues; null until the clip is checked' },
    ),
  ),
  score: nullable(ClipScore),
  error: nullable(Type.String({ description: 'Why the clip cannot be read' })),
});
export type Clip = Static<typeof Clip>;

export const QaIssue = Type.Object({
  kind: oneOf(Object.keys(CHECK_KINDS) as CheckKind[]),
  severity: oneOf(['info', 'warning', 'error']),
  text: Type.String({ description: 'The measured value and its limit, for people' }),
  frames: Type.Array(Type.Integer(), { minItems: 2, maxItems: 2, description: 'First and last affected frame' }),
  plot: Type.Object(
    { channels: Type.Array(Type.String()), frame: Type.Integer() },
    { description: 'Channels of the plot that show the issue, and the worst frame' },
  ),
  body: nullable(Type.String({ description: 'Body, foot or joint that is affected most' })),
  ignored: Type.Boolean({ description: 'Whether it is ignored: see POST /api/data/mark' }),
  fix: nullable(Type.String({ description: 'Repair that `fixes` of a conversion accepts; null: none is known' })),
});

export const DataOptions = Type.Object({
  speed: Type.Number({ minimum: 0.05, maximum: 8, description: 'Multiple of real time' }),
  loop: Type.Boolean({ description: 'Whether the clip starts again at its end' }),
  ghost: Type.Boolean({ description: 'Shows the raw source beside the converted clip' }),
  keybodies: Type.Boolean({ description: 'Marks the key bodies' }),
  contacts: Type.Boolean({ description: 'Marks feet that touch the floor' }),
  trail: Type.Boolean({ description: 'Draws the path of the root' }),
});
export type DataOptions = Static<typeof DataOptions>;

export const Preview = Type.Object({
  open: Type.Boolean({ description: 'Whether a clip or a grid of clips is open' }),
  loading: Type.Boolean(),
  dataset: nullable(Type.String()),
  clip: nullable(Type.String()),
  source: nullable(oneOf(['npz', 'raw'])),
  frames: Type.Integer(),
  fps: Type.Number({ description: 'Frames per second' }),
  frame: Type.Integer({ description: 'Shown frame, from 0' }),
  time: Type.Number({ description: 'Shown time, s' }),
  playing: Type.Boolean(),
  options: DataOptions,
  grid: nullable(
    Type.Object(
      { dataset: Type.String(), clips: Type.Array(Type.String()) },
      { description: 'Clips shown side by side; null if a single clip is open' },
    ),
  ),
  recording: nullable(Type.String({ description: 'Name of the recording that is shown; null for clips' })),
  edit: Type.Optional(
    nullable(
      Type.Object(
        { part: Type.Integer(), parts: Type.Integer() },
        { description: 'The clip is shown as edited, and not written: part of a split, from 0, and number of parts' },
      ),
    ),
  ),
  qa: nullable(
    Type.Object(
      { ok: Type.Boolean(), issues: Type.Array(QaIssue) },
      { description: 'Result of the checks; null until the clip is checked' },
    ),
  ),
  error: nullable(Type.String({ description: 'Why the last clip could not be loaded' })),
});
export type Preview = Static<typeof Preview>;
