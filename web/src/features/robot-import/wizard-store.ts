import { call } from '../../net/api.ts';
import { owner } from '../../net/scene-owner.ts';
import { importing, importRequest } from '../robots/import-request-store.ts';
import { imports, removedUpload, robots, selectRobot, showRobot } from '../robots/robots-store.ts';
import { draft } from './draft-store.ts';
import { clickedBody, litBody } from './draft-view-store.ts';
import { ImportSteps } from './import-steps.ts';
import { upload } from './sending-store.ts';

/** The page's wizard. */
export const wizard = new ImportSteps({
  call,
  robots,
  imports,
  removedUpload,
  selectRobot,
  showRobot,
  draft,
  upload,
  importing,
  importRequest,
  owner,
  clickedBody,
  litBody,
});
export const {
  step,
  uploadId,
  modelFiles,
  chosenModel,
  working,
  problem,
  saved,
  takenIds,
  replaced,
  stopWork,
  takeRequest,
  leaveImport,
  anotherRobot,
  takeModelFiles,
  startSending,
  copyFolder,
  continueUpload,
  readModel,
  runCheck,
  save,
  selectSaved,
  goBack,
  stepReady,
  goToStep,
} = wizard;
