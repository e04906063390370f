import { Type } from 'typebox';
import { CHECK_KINDS, type CheckKind } from '../check-kinds.ts';
import { flag, looseBody, nameOf, nullable, oneOf, route, strictBody } from '../route.ts';
import { SlowReply } from '../schemas/busy.ts';
import { clipField, datasetField, searchField } from '../schemas/clip-fields.ts';
import { Ignored, MarkEntries, Tags, Weight } from '../schemas/clip-marks.ts';
import { Clip, DatasetCounts } from '../schemas/data.ts';
import { EditSteps } from '../schemas/edit.ts';
import { ReadOptions } from '../schemas/reading.ts';
import { Undoable, undoField } from '../schemas/trash.ts';

export const listDatasets = route({
  method: 'GET',
  path: '/api/data/datasets',
  tag: 'Datasets',
  summary: 'Lists the datasets of the selected robot with the number of source, converted and missing clips',
  reply: Type.Object({ robot: Type.String(), datasets: Type.Array(DatasetCounts) }),
});

export const listClips = route({
  method: 'GET',
  path: '/api/data/clips',
  tag: 'Datasets',
  summary: 'Lists the clips of a dataset, filtered and sorted, page by page',
  query: Type.Object({
    dataset: datasetField,
    q: Type.Optional(searchField),
    status: Type.Optional(
      oneOf(['all', 'converted', 'missing', 'raw'], { default: 'all', description: '`raw`: clips with a raw file' }),
    ),
    findings: Type.Optional(
      oneOf(['true', 'false', 'info', 'warning', 'error', ...(Object.keys(CHECK_KINDS) as CheckKind[])], {
        description:
          '`true`: clips with issues. `false`: checked clips without issues. Otherwise: clips with issues of this severity or kind. Ignored issues are not considered',
      }),
    ),
    failed: Type.Optional(Type.Boolean({ description: 'Whether the last conversion failed' })),
    tag: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Only clips with this tag' })),
    excluded: Type.Optional(Type.Boolean({ description: 'Whether the clip is excluded' })),
    sort: Type.Optional(
      oneOf(['name', 'duration', 'score', 'worst', 'modified'], {
        default: 'name',
        description:
          '`score`: by feasibility, then complexity; ascending order has the outliers first. `worst`: by the worst issue, then the number of issues. Clips without the value come last',
      }),
    ),
    order: Type.Optional(oneOf(['asc', 'desc'], { default: 'asc' })),
    page: Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'From 1' })),
    size: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 50, description: 'Clips per page' })),
  }),
  reply: Type.Object({
    dataset: Type.String(),
    total: Type.Integer({ description: 'Number of matching clips on all pages' }),
    page: Type.Integer(),
    size: Type.Integer(),
    pages: Type.Integer(),
    clips: Type.Array(Clip),
  }),
});

export const listClipJoints = route({
  method: 'GET',
  path: '/api/data/joints',
  tag: 'Datasets',
  summary: 'Lists the joints of the selected robot in the column order of CSV clips',
  reply: Type.Object({
    joints: Type.Array(
      Type.Object({ name: Type.String(), lower: nullable(Type.Number()), upper: nullable(Type.Number()) }),
    ),
  }),
});

export const markClips = route({
  method: 'POST',
  path: '/api/data/mark',
  tag: 'Datasets',
  summary:
    'Excludes, weights and tags clips, and ignores issues. Absent fields keep their value. A list replaces the previous list; `add` and `remove` change single entries',
  stores: true,
  insteadOfLarge:
    'give "q", a pattern that matches the clips, instead of "clips", or mark the clips in several requests',
  body: strictBody({
    dataset: datasetField,
    clips: Type.Optional(Type.Array(Type.String(), { minItems: 1, description: 'Names of the clips' })),
    q: Type.Optional(searchField),
    exclude: Type.Optional(
      Type.Boolean({ description: 'true: leaves the clips out of training, evaluation and motion libraries' }),
    ),
    weight: Type.Optional(Weight),
    tags: Type.Optional(Tags),
    ignore: Type.Optional(Ignored),
    add: Type.Optional(MarkEntries),
    remove: Type.Optional(MarkEntries),
  }),
  reply: Type.Object({ ok: Type.Literal(true), clips: Type.Integer({ description: 'Number of marked clips' }) }),
});

export const pickClips = route({
  method: 'POST',
  path: '/api/data/pick',
  tag: 'Datasets',
  summary: 'Picks the best clips of a dataset by score, up to a total duration',
  body: strictBody({
    dataset: datasetField,
    minutes: Type.Number({ exclusiveMinimum: 0, maximum: 1e6, description: 'Total duration, min' }),
  }),
  reply: Type.Object({
    clips: Type.Array(Type.String(), {
      description: 'Names of the picked clips, best first. Excluded clips and clips with errors are never picked',
    }),
    minutes: Type.Number({ description: 'Total duration of the picked clips, min' }),
    unscored: Type.Integer({ description: 'Number of clips that have not been checked yet and so cannot be picked' }),
  }),
});

export const scanDataset = route({
  method: 'POST',
  path: '/api/data/scan',
  tag: 'Datasets',
  summary: 'Measures a dataset: total hours and a histogram of clip durations',
  slow: true,
  stores: true,
  body: strictBody({ dataset: datasetField }),
  reply: SlowReply,
});

export const convertDataset = route({
  method: 'POST',
  path: '/api/data/convert',
  tag: 'Datasets',
  summary: 'Converts clips to npz, as a job',
  stores: true,
  insteadOfLarge: 'give "q", a pattern that matches the clips, instead of "clips", or convert them by several requests',
  body: strictBody({
    dataset: datasetField,
    which: Type.Optional(
      oneOf(['missing', 'all', 'selected'], {
        default: 'missing',
        description:
          '`all`: clips with a raw file, and npz files of another frame rate than `output_fps`. `selected` requires `clips` or `q`',
      }),
    ),
    clips: Type.Optional(Type.Array(Type.String(), { description: 'Names of the clips, with `which: selected`' })),
    q: Type.Optional(searchField),
    batch_size: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1024, default: 8, description: 'Number of clips converted together' }),
    ),
    output_fps: Type.Optional(
      Type.Number({
        minimum: 1,
        maximum: 1000,
        description: 'Frames per second of the result. Absent: the value in dataset.yaml, else 50',
      }),
    ),
    mirror: Type.Optional(
      Type.Boolean({
        description: 'Also writes the mirrored clip as `<clip>_M`. Absent: the value in dataset.yaml, else false',
      }),
    ),
    debias_z: Type.Optional(
      Type.Boolean({
        description: 'Moves the clip so that the soles are on the floor. Absent: the value in dataset.yaml, else false',
      }),
    ),
    input_fps: Type.Optional(
      nullable(
        Type.Union([Type.Number({ minimum: 1, maximum: 1000 }), oneOf(['file'])], {
          description:
            'Frames per second of raw files. `file`: the rate in the file, else that of its format. Absent: the value in dataset.yaml, else `file`',
        }),
      ),
    ),
    read: Type.Optional(ReadOptions),
    fixes: Type.Optional(
      Type.Array(Type.String({ maxLength: 4096 }), {
        maxItems: 16,
        description:
          'Repairs to apply, as given in `fix` of the issues, in addition to the earlier repairs of each clip. `[]` removes the earlier repairs',
      }),
    ),
  }),
  reply: Type.Object({
    ok: Type.Literal(true),
    job: Type.String({ description: 'Name of the job: see GET /api/jobs/{name}' }),
  }),
});

export const editClip = route({
  method: 'POST',
  path: '/api/data/edit',
  tag: 'Datasets',
  summary: 'Makes new raw clips from a clip by steps such as trim, append and smooth. The source is not changed',
  slow: true,
  stores: true,
  body: strictBody({
    dataset: datasetField,
    clip: clipField,
    steps: EditSteps,
    name: Type.Optional(
      nameOf('Name of the new clip. Absent: `<clip>_edited`. The parts of a split are called `<name>_1`, `<name>_2` …'),
    ),
    into: Type.Optional(nameOf('Dataset of the new clip. Absent: that of the source')),
  }),
  reply: SlowReply,
});

export const renameData = route({
  method: 'POST',
  path: '/api/data/rename',
  tag: 'Datasets',
  summary: 'Renames a clip with its npz, recipe and marks, or a dataset',
  conflict: 'a queued or running job, the play session or the open preview uses the clip or dataset',
  stores: true,
  body: strictBody({
    dataset: datasetField,
    clip: Type.Optional(nameOf('Name of a clip of the dataset. Absent: the dataset itself is renamed')),
    name: nameOf('The new name'),
  }),
  reply: Undoable,
});

export const generateClips = route({
  method: 'POST',
  path: '/api/data/generate',
  tag: 'Datasets',
  summary:
    'Creates a dataset of generated motions for the selected robot: standing, swaying, squatting, stepping, turning. Use them to train the first policy of a new robot',
  slow: true,
  stores: true,
  body: strictBody({ dataset: Type.Optional(nameOf('Name of the new dataset', { default: 'basics' })) }),
  reply: SlowReply,
});

export const createDataset = route({
  method: 'POST',
  path: '/api/data/new',
  tag: 'Datasets',
  summary: 'Creates an empty dataset',
  stores: true,
  body: strictBody({ name: nameOf('Name of the new dataset') }),
  reply: Type.Object({ ok: Type.Literal(true), dataset: Type.String() }),
});

export const importDataset = route({
  method: 'POST',
  path: '/api/data/import',
  tag: 'Datasets',
  summary:
    'Imports a folder on the machine of the service as a dataset, as a copy or a link. LeRobot datasets, SONIC deploy folders and TWIST2 dataset yamls become one raw clip per episode',
  slow: true,
  stores: true,
  body: strictBody({
    source: nameOf('Path of a folder, or of a TWIST2 dataset yaml, on the machine of the service'),
    name: Type.Optional(nameOf('Name of the dataset. Absent: the name of the folder')),
    link: flag('true: links the folder and never writes to it. false: copies it'),
    read: Type.Optional(ReadOptions),
  }),
  reply: SlowReply,
});

export const uploadClip = route({
  method: 'PUT',
  path: '/api/data/upload/{dataset}/{file}',
  tag: 'Datasets',
  summary: 'Uploads a clip or a bundle of clips to a dataset',
  upload: true,
  stores: true,
  reply: Type.Object({
    ok: Type.Literal(true),
    clip: Type.String(),
    bytes: Type.Integer(),
    clips: Type.Array(Type.String(), { description: 'The clip, or every clip of an uploaded bundle' }),
    undo: undoField,
  }),
});

export const refreshDatasets = route({
  method: 'POST',
  path: '/api/data/uploaded',
  tag: 'Datasets',
  summary: 'Reads the datasets again after a series of uploads',
  body: looseBody({}),
  reply: Type.Object({ ok: Type.Literal(true), datasets: Type.Array(DatasetCounts) }),
});

export const downloadClip = route({
  method: 'GET',
  path: '/api/data/download',
  tag: 'Datasets',
  summary: 'Downloads the file of a clip',
  query: Type.Object({
    dataset: datasetField,
    clip: clipField,
    source: Type.Optional(oneOf(['npz', 'raw'], { description: 'Absent: the npz if it exists, else the raw file' })),
  }),
  reply: { contentType: 'application/octet-stream', description: 'The file' },
});

export const deleteDataset = route({
  method: 'DELETE',
  path: '/api/data/datasets/{dataset}',
  tag: 'Datasets',
  summary: 'Deletes a dataset. The folder of a linked dataset is never changed',
  conflict: 'a queued or running job, the play session or the open preview uses the dataset',
  stores: true,
  reply: Undoable,
});

export const deleteClip = route({
  method: 'DELETE',
  path: '/api/data/datasets/{dataset}/clips/{clip}',
  tag: 'Datasets',
  summary: 'Deletes a clip. The folder of a linked dataset is never changed',
  conflict: 'a queued or running job, the play session or the open preview uses the clip',
  stores: true,
  query: Type.Object({
    mirror: Type.Optional(
      Type.Boolean({ description: 'Also deletes the mirrored clip `<clip>_M` that a conversion made; default false' }),
    ),
  }),
  reply: Undoable,
});
