import { useRef } from 'preact/hooks';
import { helpOpen, paletteOpen } from '../ui/layout.ts';
import { Lazy, type LazyProps, preload } from '../ui/lazy.tsx';

const robotsPanel = () => import('../features/robots/robots-panel.tsx').then((part) => part.RobotsPanel);
const poseInspector = () => import('../features/robots/pose-panel.tsx').then((part) => part.PoseInspector);
const dataPanel = () => import('../features/data/data-panel.tsx').then((part) => part.DataPanel);
const clipInspector = () => import('../features/data/clip-inspector.tsx').then((part) => part.ClipInspector);
const dataDock = () => import('../features/data/dock/dock.tsx').then((part) => part.DataDock);
const playPanel = () => import('../features/play/play-panel.tsx').then((part) => part.PlayPanel);
const playInspector = () => import('../features/play/play-inspector.tsx').then((part) => part.PlayInspector);
const playDock = () => import('../features/play/dock/play-dock.tsx').then((part) => part.PlayDock);
const playPills = () => import('../features/play/play-pills.tsx').then((part) => part.PlayPills);
const playTools = () => import('../features/play/play-tools.tsx').then((part) => part.PlayTools);
const tasksPanel = () => import('../features/tasks/tasks-panel.tsx').then((part) => part.TasksPanel);
const tasksEditor = () => import('../features/tasks/tasks-editor.tsx').then((part) => part.TasksEditor);
const tasksInspector = () => import('../features/tasks/tasks-inspector.tsx').then((part) => part.TasksInspector);
const taskDialogs = () => import('../features/tasks/task-dialogs.tsx').then((part) => part.TaskDialogs);
const trainPanel = () => import('../features/train/train-panel.tsx').then((part) => part.TrainPanel);
const trainMain = () => import('../features/train/train-main.tsx').then((part) => part.TrainMain);
const trainInspector = () => import('../features/train/train-inspector.tsx').then((part) => part.TrainInspector);
const statusPanel = () => import('../features/status/status-panel.tsx').then((part) => part.StatusPanel);
const firstRun = () => import('../features/status/first-run-card.tsx').then((part) => part.FirstRunCard);
const logDock = () => import('../features/status/log-dock.tsx').then((part) => part.LogDock);
const palette = () => import('./palette.tsx').then((part) => part.Palette);
const shortcuts = () => import('./shortcuts-dialog.tsx').then((part) => part.ShortcutsDialog);

const importHead = () => import('../features/robot-import/wizard.tsx').then((part) => part.ImportHead);
const importBody = () => import('../features/robot-import/wizard.tsx').then((part) => part.ImportBody);
const importFoot = () => import('../features/robot-import/wizard.tsx').then((part) => part.ImportFoot);
const bodyMenu = () => import('../features/robot-import/body-menu.tsx').then((part) => part.BodyMenu);

/** Areas and dialogs that the page can stand without: their code comes when they are first opened, or before in idle time. */
export const RobotsPanel = () => <Lazy load={robotsPanel} what="Robots" />;
export const PoseInspector = () => <Lazy load={poseInspector} what="The inspector" />;
export const DataPanel = () => <Lazy load={dataPanel} what="Data" />;
export const ClipInspector = () => <Lazy load={clipInspector} what="The inspector" />;
export const DataDock = () => <Lazy load={dataDock} what="The dock" quiet />;
export const PlayPanel = () => <Lazy load={playPanel} what="Play" />;
export const PlayInspector = () => <Lazy load={playInspector} what="The inspector" />;
export const PlayDock = () => <Lazy load={playDock} what="The dock" quiet />;
export const PlayPills = () => <Lazy load={playPills} what="The figures" quiet />;
export const PlayTools = () => <Lazy load={playTools} what="The tools" quiet />;
export const TasksPanel = () => <Lazy load={tasksPanel} what="Tasks" />;
export const TasksEditor = () => <Lazy load={tasksEditor} what="The editor" />;
export const TasksInspector = () => <Lazy load={tasksInspector} what="The inspector" />;
export const TaskDialogs = () => <Lazy load={taskDialogs} what="The dialog" quiet />;
export const TrainPanel = () => <Lazy load={trainPanel} what="Train" />;
export const TrainMain = () => <Lazy load={trainMain} what="Jobs" />;
export const TrainInspector = () => <Lazy load={trainInspector} what="The inspector" />;
export const StatusPanel = () => <Lazy load={statusPanel} what="Status" />;
export const FirstRunCard = () => <Lazy load={firstRun} what="The checklist" quiet />;
export const LogDock = () => <Lazy load={logDock} what="The log" quiet />;

export const ImportHead = () => <Lazy load={importHead} what="The import" quiet />;
export const ImportBody = () => <Lazy load={importBody} what="The import" />;
export const ImportFoot = () => <Lazy load={importFoot} what="The import" quiet />;
export const BodyMenu = () => <Lazy load={bodyMenu} what="The menu" quiet />;

export const Palette = () => <OnceOpen open={paletteOpen.value} load={palette} what="The palette" />;
export const ShortcutsDialog = () => <OnceOpen open={helpOpen.value} load={shortcuts} what="Help" />;

/** A dialog stays once it was open: leaving, it gives the focus back. */
function OnceOpen({ open, load, what }: LazyProps & { readonly open: boolean }) {
  const seen = useRef(false);
  if (open) seen.current = true;
  return seen.current ? <Lazy load={load} what={what} quiet /> : null;
}

/** Fetches, once nothing else is to do, what a person opens next. */
export function preloadWhenIdle(): void {
  const soon = window.requestIdleCallback ?? ((run: () => void) => window.setTimeout(run, 1500));
  soon(() => {
    // a failure is told when the part is opened and does not come then either
    for (const load of [robotsPanel, poseInspector, dataPanel, clipInspector, dataDock, statusPanel, logDock, palette])
      preload(load).catch(() => {});
  });
}
