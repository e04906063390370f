import { checkBundle, deleteExport, downloadExport, exportPolicy, listExports } from '../../protocol/routes/exports.ts';
import { handle, handleContent, handleUpload, ok } from './handle.ts';

export const exportsHandlers = [
  handle(exportPolicy, async ({ exports }, { body, signal }) => ok({ task: await exports.start(body, signal) })),
  handle(listExports, ({ exports }, { query }) => exports.list(query.run ?? null)),
  handleContent(downloadExport, ({ exports }, { params }) => exports.download(params.name)),
  handle(deleteExport, async ({ exports }, { params, signal }) => {
    await exports.remove(params.name, signal);
    return ok();
  }),
  handleUpload(checkBundle, ({ exports }, { signal }, stream) => exports.check(stream, signal)),
];
