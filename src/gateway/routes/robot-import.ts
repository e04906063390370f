import {
  cancelImport,
  checkDraft,
  copyModelFolder,
  deleteUpload,
  getImportState,
  inspectModel,
  listModelFiles,
  loadGains,
  previewDraft,
  saveRobot,
  uploadModelFile,
} from '../../protocol/routes/robot-import.ts';
import { handle, handleUpload, ok } from './handle.ts';

export const robotImportHandlers = [
  handle(getImportState, ({ imports }) => imports.state()),
  handleUpload(uploadModelFile, async ({ imports }, { params, signal }, stream) =>
    ok({ path: params.path, bytes: await imports.upload(params.id, params.path, stream, signal) }),
  ),
  handle(deleteUpload, async ({ imports }, { params }) => {
    await imports.removeUpload(params.id);
    return ok();
  }),
  handle(copyModelFolder, async ({ imports }, { body, signal }) =>
    ok({ id: body.id, ...(await imports.copy(body.id, body.source, signal)) }),
  ),
  handle(listModelFiles, ({ imports }, { query }) => imports.files(query.id)),
  handle(inspectModel, ({ imports }, { body, signal }) => imports.inspect(body.id, body.model, signal)),
  handle(loadGains, async ({ imports }, { body, signal }) => ok(await imports.gains(body, signal))),
  handle(previewDraft, async ({ imports }, { body, signal }) => {
    await imports.preview(body.wiring, signal);
    return ok();
  }),
  handle(checkDraft, ({ imports }, { body, signal }) => imports.check(body.spec, signal)),
  handle(saveRobot, async ({ imports }, { body, signal }) => ok(await imports.save(body.spec, signal))),
  handle(cancelImport, async ({ imports }) => {
    await imports.cancel();
    return ok();
  }),
];
