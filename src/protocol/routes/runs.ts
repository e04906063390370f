import { Type } from 'typebox';
import { nameOf, route, strictBody } from '../route.ts';
import { Ok } from '../schemas/busy.ts';
import { Run, RunMarks } from '../schemas/jobs.ts';
import { runPath } from '../schemas/run-path.ts';
import { Undoable } from '../schemas/trash.ts';

export const listRuns = route({
  method: 'GET',
  path: '/api/runs',
  tag: 'Runs',
  summary: 'Lists the runs on disk, newest first; with since, only what changed',
  query: Type.Object({
    since: Type.Optional(
      nameOf('version of an earlier reply: lists the runs that changed since then, in no order, and removed'),
    ),
  }),
  reply: Type.Object({
    runs: Type.Array(Run),
    version: Type.String({ description: 'State of the list; pass it as since in the next call' }),
    removed: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Paths of the runs that are gone. Absent: runs is the whole list, because since was not given or its state is not known any more',
      }),
    ),
  }),
});

export const downloadRunFile = route({
  method: 'GET',
  path: '/api/runs/file',
  tag: 'Runs',
  summary: 'Downloads one file of a run',
  query: Type.Object({ run: runPath, file: nameOf('Path of the file in the folder of the run') }),
  reply: { contentType: 'application/octet-stream', description: 'The file' },
});

export const markRun = route({
  method: 'POST',
  path: '/api/runs/mark',
  tag: 'Runs',
  summary: 'Sets the tags, the note or the favourite mark of a run. Absent fields stay as they are',
  stores: true,
  body: strictBody({ run: runPath, ...Type.Partial(RunMarks).properties }),
  reply: Ok,
});

export const deleteRun = route({
  method: 'DELETE',
  path: '/api/runs',
  tag: 'Runs',
  summary: 'Deletes a run',
  conflict: 'a queued or running job, or the play session, uses the run',
  stores: true,
  query: Type.Object({ run: runPath }),
  reply: Undoable,
});
