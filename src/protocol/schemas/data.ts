import { type Static, Type } from 'typebox';
import { CHECK_KINDS, type CheckKind } from '../check-kinds.ts';
import { nullable, oneOf } from '../route.ts';

export const Scan = Type.Object({
  hours: Type.Number(),
  clips: Type.Integer(),
  unreadable: Type.Array(Type.Object({ clip: Type.String(), error: Type.String() }), {
    description: 'the first 500 of them',
  }),
  unreadable_total: Type.Optional(Type.Integer()),
  histogram: Type.Object({
    edges: Type.Array(Type.Number(), { description: 's' }),
    counts: Type.Array(Type.Integer()),
  }),
  at: Type.String(),
});
export type Scan = Static<typeof Scan>;

export const DatasetCounts = Type.Object({
  name: Type.String(),
  source: Type.Integer({ description: 'clips with a raw file' }),
  converted: Type.Integer({ description: 'of those, with an up-to-date npz' }),
  missing: Type.Integer({ description: 'of those, with no up-to-date npz' }),
  extra: Type.Integer({ description: 'clips with an npz alone, mirrored ones included' }),
  failed: Type.Integer({ description: 'clips whose last conversion failed' }),
  linked: Type.Boolean(),
  path: Type.String(),
  scan: nullable(Scan),
  error: Type.Optional(nullable(Type.String({ description: 'why the dataset cannot be used as it is' }))),
});
export type DatasetCounts = Static<typeof DatasetCounts>;

export const Clip = Type.Object({
  name: Type.String(),
  status: oneOf(['converted', 'missing'], {
    description:
      '`missing`: has a raw file and no up-to-date npz. A stale clip without a raw file is `converted` and `stale`',
  }),
  failed: nullable(
    Type.String({
      description: 'why its last conversion failed, until its source or the options in dataset.yaml change',
    }),
  ),
  raw: Type.Boolean({ description: 'has a raw file' }),
  stale: Type.Boolean({
    description: 'its npz is older than its source, or made with other options than dataset.yaml asks for',
  }),
  source: nullable(Type.Object({ file: Type.String(), format: Type.String(), bytes: Type.Integer() })),
  frames: nullable(Type.Integer()),
  fps: nullable(Type.Number()),
  duration: nullable(Type.Number({ description: 's' })),
  modified: Type.String(),
  qa: nullable(Type.Object({ worst: oneOf(['ok', 'info', 'warning', 'error']), issues: Type.Integer() })),
  error: nullable(Type.String()),
});
export type Clip = Static<typeof Clip>;

export const QaIssue = Type.Object({
  kind: oneOf(Object.keys(CHECK_KINDS) as CheckKind[]),
  severity: oneOf(['info', 'warning', 'error']),
  text: Type.String(),
  frames: Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 }),
  plot: Type.Object({ channels: Type.Array(Type.String()), frame: Type.Integer() }),
  fix: nullable(Type.String()),
});

export const DataOptions = Type.Object({
  speed: Type.Number({ minimum: 0.05, maximum: 8, description: 'times real time' }),
  loop: Type.Boolean(),
  ghost: Type.Boolean({ description: 'raw source beside the converted clip' }),
  keybodies: Type.Boolean(),
  contacts: Type.Boolean(),
  trail: Type.Boolean(),
});
export type DataOptions = Static<typeof DataOptions>;

export const Preview = Type.Object({
  open: Type.Boolean(),
  loading: Type.Boolean(),
  dataset: nullable(Type.String()),
  clip: nullable(Type.String()),
  source: nullable(oneOf(['npz', 'raw'])),
  frames: Type.Integer(),
  fps: Type.Number(),
  frame: Type.Integer(),
  time: Type.Number({ description: 's' }),
  playing: Type.Boolean(),
  options: DataOptions,
  grid: nullable(Type.Object({ dataset: Type.String(), clips: Type.Array(Type.String()) })),
  qa: nullable(Type.Object({ ok: Type.Boolean(), issues: Type.Array(QaIssue) })),
  error: nullable(Type.String()),
});
export type Preview = Static<typeof Preview>;
