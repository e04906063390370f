import { call } from '../../net/api.ts';
import { plotsOf } from '../../ui/plots-shown.ts';
import { remember, remembered } from '../../ui/stored.ts';
import { clipIdentity, onClip } from '../data/clip-identity-store.ts';
import { chosenIssue, preview } from '../data/preview-store.ts';
import { backToLive, freeze, frozen, record, useOften, useRecord } from '../play/record-store.ts';
import { isLive, session } from '../play/session-store.ts';
import { robot } from '../robots/robots-store.ts';
import { cursorFrame, watchCursor } from './cursor.ts';
import { PlotsModel } from './plots-model.ts';

/** The plots of this page. */
export const {
  plots,
  timeWindow,
  valueRanges,
  linked,
  tableShown,
  one,
  issueShown,
  shownIds,
  layout,
  referenceShown,
  charts,
  issues,
  hasSubject,
  usePlots,
  retryPlots,
  tick,
  solo,
  clearTicks,
  dismissIssue,
  setLayout,
  setReference,
  recallIssue,
  setLinked,
  zoomTime,
  panTime,
  windowFrom,
  fitAll,
  setValueRange,
} = new PlotsModel({
  call,
  remember,
  remembered,
  chosenIssue,
  preview,
  backToLive,
  freeze,
  frozen,
  record,
  useOften,
  useRecord,
  loadCompared: () => import('./compared-plots.ts'),
  isLive,
  session,
  robot,
  clipIdentity,
  onClip,
  cursorFrame,
  watchCursor,
  plotsOf,
});
