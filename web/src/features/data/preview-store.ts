import { call } from '../../net/api.ts';
import { runSlow } from '../../net/busy.ts';
import { owner } from '../../net/scene-owner.ts';
import { dockView } from '../../ui/dock-state.ts';
import { foldFirstRun, goTo } from '../../ui/layout.ts';
import { plotsWindow } from '../../ui/plots-shown.ts';
import { failed } from '../../ui/toasts.ts';
import { ClipPreview } from './clip-preview.ts';

/** The open clip, as known to this page. */
export const {
  preview,
  loadingClip,
  isOpen,
  playhead,
  watchPlayhead,
  followFrame,
  takePreview,
  seek,
  step,
  stepSeconds,
  setPlaying,
  togglePlaying,
  setOptions,
  changeSpeed,
  loadClip,
  reloadShown,
  loadingGrid,
  loadGrid,
  chosenIssue,
  showIssue,
  stepIssue,
  loopRegion,
  showsClips,
  closePreview,
  refreshPreview,
  duration,
  showIssuePlot,
} = new ClipPreview({
  call,
  runSlow,
  foldFirstRun,
  failed,
  goTo,
  dockView,
  plotsWindow,
  owner,
  nextPicture: (callback) => void requestAnimationFrame(callback),
});
