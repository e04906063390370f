import {
  deleteUpload,
  importFiles,
  importPath,
  importState,
  uploadModelFile,
} from '../../protocol/routes/robot-import.ts';
import { handle, handleUpload, ok } from './handle.ts';

export const robotImportHandlers = [
  handle(importState, ({ imports }) => imports.state()),
  handleUpload(uploadModelFile, async ({ imports }, { params, signal }, stream) =>
    ok({ path: params.path, bytes: await imports.upload(params.id, params.path, stream, signal) }),
  ),
  handle(deleteUpload, async ({ imports }, { params }) => {
    await imports.removeUpload(params.id);
    return ok();
  }),
  handle(importPath, async ({ imports }, { body, signal }) =>
    ok({ id: body.id, ...(await imports.copy(body.id, body.source, signal)) }),
  ),
  handle(importFiles, ({ imports }, { query }) => imports.files(query.id)),
];
