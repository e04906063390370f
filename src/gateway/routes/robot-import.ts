import {
  deleteUpload,
  importCancel,
  importCheck,
  importFiles,
  importInspect,
  importPath,
  importPreview,
  importSave,
  importState,
  uploadModelFile,
} from '../../protocol/routes/robot-import.ts';
import { deleteRobot, robotSpec } from '../../protocol/routes/robots.ts';
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
  handle(importInspect, ({ imports }, { body, signal }) => imports.inspect(body.id, body.model, signal)),
  handle(importPreview, async ({ imports }, { body, signal }) => {
    await imports.preview(body.wiring, signal);
    return ok();
  }),
  handle(importCheck, ({ imports }, { body, signal }) => imports.check(body.spec, signal)),
  handle(importSave, async ({ imports }, { body, signal }) => ok(await imports.save(body.spec, signal))),
  handle(importCancel, async ({ imports }) => {
    await imports.cancel();
    return ok();
  }),
  handle(robotSpec, ({ imports }, { params }) => imports.spec(params.id)),
  handle(deleteRobot, async ({ imports }, { params }) => {
    await imports.remove(params.id);
    return ok();
  }),
];
