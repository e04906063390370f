import type { ComponentType } from 'preact';
import type { SceneOwner } from '../../../src/protocol/events.ts';
import type { IconName } from '../ui/icon.tsx';
import { DataDialogs } from './data/dialogs/dialog-host.tsx';
import { preview } from './data/preview-store.ts';
import { EvaluateDialogs } from './evaluate/evaluate-host.tsx';
import { ExportDialogs } from './exports/export-host.tsx';
import { JobDialogs } from './jobs/job-dialogs-host.tsx';
import { importing } from './robots/import-request-store.ts';
import { RobotDialogs } from './robots/robot-dialog-host.tsx';

/** Fetches a part of an area: its code arrives when the part is first shown. */
export type LoadPart = () => Promise<ComponentType>;

/** A part with the name that screen readers and tabs use for it. */
interface NamedPart {
  readonly title: string;
  readonly load: LoadPart;
}

/** One area of the page. Navigation rail, layout (also on phones), shortcuts, command palette and address derive from
 *  it. */
export interface AreaSpec {
  /** first segment of the address, key of stored settings */
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  /** digit that opens the area together with Alt */
  readonly key: string;
  readonly panel: LoadPart;
  /** px, until a person drags its edge */
  readonly panelWidth: number;
  readonly inspector?: NamedPart & {
    /** CSS length of its column, default `var(--inspector)` */
    readonly width?: string;
  };
  /** Takes the place of the scene. `beside`: an open inspector keeps the scene, small, above itself. */
  readonly main?: NamedPart & { readonly scene: 'hidden' | 'beside' };
  readonly dock?: Player | LogDock;
  /** tabs of the phone's sheet */
  readonly phoneTabs: readonly (NamedPart & { readonly id: string })[];
  /** tools over the scene while the area is shown */
  readonly tools?: LoadPart;
  /** facts over the scene, in every area */
  readonly pills?: readonly Pills[];
  /** takes the whole middle of a phone in place of scene and sheet */
  readonly phone?: LoadPart;
  /** dialogs that the area itself opens */
  readonly dialogs?: LoadPart;
  /** dialogs that any area may open; small, for it is part of the shell */
  readonly globalDialogs?: ComponentType;
  /** a sequence of steps that covers panel, inspector and dock while it is open */
  readonly wizard?: Wizard;
  /** name of the open object of the area (a clip, a run); narrow screens show it in the header */
  readonly subject?: () => string | null;
  /** id of the field that the search key focuses */
  readonly searchField?: string;
  /** its parts are fetched as soon as the page is idle */
  readonly preload?: true;
}

/** A dock with transport and timeline; it can grow to show plots. */
export interface Player {
  readonly kind: 'player';
  readonly transport: LoadPart;
  /** the transport in one row, for phones */
  readonly compact: LoadPart;
  readonly timeline: LoadPart;
}

/** Facts over the scene while `owner` decides its content; always without an owner. */
interface Pills {
  readonly owner?: SceneOwner;
  readonly load: LoadPart;
}

interface LogDock {
  readonly kind: 'log';
  readonly load: LoadPart;
}

export interface Wizard {
  readonly title: string;
  readonly isOpen: () => boolean;
  readonly head: LoadPart;
  readonly body: LoadPart;
  readonly foot: LoadPart;
  readonly overScene?: LoadPart;
}

const plotsSheet: LoadPart = () => import('./plots/plots-view.tsx').then((part) => part.PlotsSheet);
const robotsPanel: LoadPart = () => import('./robots/robots-panel.tsx').then((part) => part.RobotsPanel);
const dataPanel: LoadPart = () => import('./data/data-panel.tsx').then((part) => part.DataPanel);
const tasksPanel: LoadPart = () => import('./tasks/tasks-panel.tsx').then((part) => part.TasksPanel);
const trainPanel: LoadPart = () => import('./train/train-panel.tsx').then((part) => part.TrainPanel);
const playPanel: LoadPart = () => import('./play/play-panel.tsx').then((part) => part.PlayPanel);
const playInspector: LoadPart = () => import('./play/play-inspector.tsx').then((part) => part.PlayInspector);
const statusPanel: LoadPart = () => import('./status/status-panel.tsx').then((part) => part.StatusPanel);
const logDock: LoadPart = () => import('./status/log-dock.tsx').then((part) => part.LogDock);

/** The areas in the order of the rail. The first one is shown where the address names none. */
export const AREAS: readonly AreaSpec[] = [
  {
    id: 'robots',
    title: 'Robots',
    icon: 'robot',
    key: '1',
    panel: robotsPanel,
    panelWidth: 360,
    inspector: {
      title: 'Pose',
      load: () => import('./robots/pose-panel.tsx').then((part) => part.PoseInspector),
    },
    phoneTabs: [
      { id: 'main', title: 'Robots', load: robotsPanel },
      {
        id: 'inspect',
        title: 'Pose',
        load: () => import('./robots/pose-panel.tsx').then((part) => part.PosePanel),
      },
    ],
    globalDialogs: RobotDialogs,
    wizard: {
      title: 'Add robot',
      isOpen: () => importing.value,
      head: () => import('./robot-import/import-wizard.tsx').then((part) => part.ImportHead),
      body: () => import('./robot-import/import-wizard.tsx').then((part) => part.ImportBody),
      foot: () => import('./robot-import/import-wizard.tsx').then((part) => part.ImportFoot),
      overScene: () => import('./robot-import/body-menu.tsx').then((part) => part.BodyMenu),
    },
    tools: () => import('./robots/scene-overlay.tsx').then((part) => part.RobotTools),
    pills: [
      { load: () => import('./robots/scene-overlay.tsx').then((part) => part.RobotPills) },
      { owner: 'import', load: () => import('./robot-import/draft-pills.tsx').then((part) => part.DraftPills) },
    ],
    preload: true,
  },
  {
    id: 'data',
    title: 'Data',
    icon: 'data',
    key: '2',
    panel: dataPanel,
    panelWidth: 466,
    inspector: {
      title: 'Clip',
      load: () => import('./data/clip-inspector.tsx').then((part) => part.ClipInspectorPane),
    },
    dock: {
      kind: 'player',
      transport: () => import('./plots/clip-transport.tsx').then((part) => part.ClipTransport),
      compact: () => import('./data/dock/dock.tsx').then((part) => part.CompactTransport),
      timeline: () => import('./data/dock/dock.tsx').then((part) => part.DataTimeline),
    },
    phoneTabs: [
      { id: 'main', title: 'Clips', load: dataPanel },
      {
        id: 'inspect',
        title: 'Clip',
        load: () => import('./data/clip-inspector.tsx').then((part) => part.ClipInspector),
      },
      { id: 'plots', title: 'Plots', load: plotsSheet },
    ],
    globalDialogs: DataDialogs,
    tools: () => import('./data/scene-overlay.tsx').then((part) => part.DataTools),
    pills: [{ load: () => import('./data/scene-overlay.tsx').then((part) => part.DataPills) }],
    subject: () => (preview.value?.open === true ? preview.value.clip : null),
    searchField: 'clip-search',
    preload: true,
  },
  {
    id: 'tasks',
    title: 'Tasks',
    icon: 'tasks',
    key: '3',
    panel: tasksPanel,
    panelWidth: 260,
    inspector: {
      title: 'Changes',
      width: '320px',
      load: () => import('./tasks/tasks-inspector.tsx').then((part) => part.TasksInspector),
    },
    main: {
      title: 'Editor',
      scene: 'hidden',
      load: () => import('./tasks/tasks-editor.tsx').then((part) => part.TasksEditor),
    },
    phoneTabs: [],
    phone: () => import('./tasks/tasks-phone.tsx').then((part) => part.TasksPhone),
    dialogs: () => import('./tasks/task-dialogs.tsx').then((part) => part.TaskDialogs),
    searchField: 'knob-search',
  },
  {
    id: 'train',
    title: 'Train',
    icon: 'train',
    key: '4',
    panel: trainPanel,
    panelWidth: 340,
    inspector: {
      title: 'Newest checkpoint',
      load: () => import('./train/train-inspector.tsx').then((part) => part.TrainInspector),
    },
    main: {
      title: 'Trainings',
      scene: 'beside',
      load: () => import('./train/train-main.tsx').then((part) => part.TrainMain),
    },
    phoneTabs: [],
    phone: () => import('./train/train-phone.tsx').then((part) => part.TrainPhone),
    globalDialogs: ExportDialogs,
  },
  {
    id: 'runs',
    title: 'Runs',
    icon: 'table',
    key: '7',
    panel: () => import('./run-browser/runs-panel.tsx').then((part) => part.RunsPanel),
    panelWidth: 240,
    inspector: {
      title: 'Run',
      load: () => import('./run-browser/run-inspector.tsx').then((part) => part.RunInspector),
    },
    main: {
      title: 'All runs',
      scene: 'hidden',
      load: () => import('./run-browser/runs-main.tsx').then((part) => part.RunsMain),
    },
    phoneTabs: [],
    phone: () => import('./run-browser/runs-phone.tsx').then((part) => part.RunsPhone),
    searchField: 'run-search',
  },
  {
    id: 'play',
    title: 'Play',
    icon: 'play',
    key: '5',
    panel: playPanel,
    panelWidth: 320,
    inspector: { title: 'Policy', load: playInspector },
    dock: {
      kind: 'player',
      transport: () => import('./play/play-dock.tsx').then((part) => part.PlayDockTransport),
      compact: () => import('./play/shared/play-transport.tsx').then((part) => part.CompactTransport),
      timeline: () => import('./play/play-dock.tsx').then((part) => part.PlayDockTimeline),
    },
    phoneTabs: [
      { id: 'main', title: 'Play', load: playPanel },
      { id: 'inspect', title: 'Rewards', load: playInspector },
      { id: 'plots', title: 'Plots', load: plotsSheet },
    ],
    dialogs: () => import('./play/compare/compare-dialog.tsx').then((part) => part.CompareDialog),
    globalDialogs: EvaluateDialogs,
    tools: () => import('./play/play-tools.tsx').then((part) => part.PlayTools),
    pills: [{ owner: 'play', load: () => import('./play/play-pills.tsx').then((part) => part.PlayPills) }],
  },
  {
    id: 'status',
    title: 'Status',
    icon: 'status',
    key: '6',
    panel: statusPanel,
    panelWidth: 360,
    dock: { kind: 'log', load: logDock },
    globalDialogs: JobDialogs,
    phoneTabs: [
      { id: 'main', title: 'Status', load: statusPanel },
      { id: 'log', title: 'Log', load: logDock },
    ],
    preload: true,
  },
];

/** Returns the row of an area; the first one for an unknown id. */
export function areaSpec(id: string): AreaSpec {
  return AREAS.find((spec) => spec.id === id) ?? AREAS[0]!;
}
