import type { ComponentChildren, CSSProperties, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { DataDialogs } from '../features/data/dialogs/dialog-host.tsx';
import { DropTarget } from '../features/data/dialogs/drop-target.tsx';
import { plotsShown } from '../features/plots/plots-view-state.ts';
import { importing } from '../features/robot-import/draft-view.ts';
import { RobotDialogs } from '../features/robots/robot-dialog-host.tsx';
import { IconButton } from '../ui/controls.tsx';
import { dockShare, dockView } from '../ui/dock-state.ts';
import {
  area,
  inspectorOpen,
  type Layout,
  layout,
  overlayInspector,
  overlayPanel,
  type PanelKey,
  panelOpen,
  panelWidths,
  type SheetHeight,
  sheet,
  showInspector,
  showPanel,
} from '../ui/layout.ts';
import { Lazy } from '../ui/lazy.tsx';
import { Viewport } from '../viewport/viewport.tsx';
import type { Area } from './address.ts';
import { firstRunShown } from './first-run.ts';
import {
  ClipInspector,
  DataDock,
  DataPanel,
  ImportBody,
  ImportFoot,
  ImportHead,
  LogDock,
  Palette,
  PlayDock,
  PlayInspector,
  PlayPanel,
  PoseInspector,
  RobotsPanel,
  ShortcutsDialog,
  StatusPanel,
  TaskDialogs,
  TasksEditor,
  TasksInspector,
  TasksPanel,
  TrainInspector,
  TrainMain,
  TrainPanel,
} from './later.tsx';
import { Rail } from './rail.tsx';
import { Splitter } from './splitter.tsx';
import { TopBar } from './top-bar.tsx';

const PANEL: Readonly<Record<Area, () => JSX.Element>> = {
  robots: RobotsPanel,
  data: DataPanel,
  tasks: TasksPanel,
  train: TrainPanel,
  play: PlayPanel,
  status: StatusPanel,
};
const PANEL_NAME: Readonly<Record<Area, string>> = {
  robots: 'Robots',
  data: 'Data',
  tasks: 'Tasks',
  train: 'Train',
  play: 'Play',
  status: 'Status',
};
const INSPECTOR_NAME: Readonly<Record<Area, string>> = {
  robots: 'Pose',
  data: 'Clip',
  tasks: 'Changes',
  train: 'Newest checkpoint',
  play: 'Policy',
  status: '',
};
/** Areas whose dock may grow: to plots, or to a job's log. */
const GROWS: ReadonlySet<Area> = new Set<Area>(['data', 'play']);

/** The phone's own parts: a desktop never fetches them. */
const phoneHeader = () => import('./phone.tsx').then((part) => part.PhoneHeader);
const phoneTransport = () => import('./phone.tsx').then((part) => part.PhoneTransport);
const phoneSheet = () => import('./phone.tsx').then((part) => part.PhoneSheet);
const phoneTrain = () => import('../features/train/train-phone.tsx').then((part) => part.TrainPhone);
const phoneTasks = () => import('../features/tasks/tasks-phone.tsx').then((part) => part.TasksPhone);

/** The page's one grid. The viewport keeps its place in it through every layout, so the scene is never built anew. */
export function App() {
  const now = area.value;
  const size = layout.value;
  const phone = size === 'phone';
  const bare = firstRunShown.value;
  const wizard = importing.value && now === 'robots' && !phone;
  const panel = !phone && !bare && !wizard && panelOpen.value;
  const inspector = !phone && !bare && !wizard && now !== 'status' && inspectorOpen.value;
  const dock = !phone && !bare && now !== 'robots' && now !== 'tasks' && now !== 'train';
  const inTasks = now === 'tasks' && !bare;
  const inTrain = now === 'train' && !bare;
  /** the area has the room of the scene */
  const full = inTasks || inTrain;
  const places = { panel: panel && size !== 'narrow', inspector: inspector && size === 'wide', dock };
  const Panel = PANEL[now];
  return (
    <div
      class={`app app-${size}${inTasks ? ' app-tasks' : inTrain ? (places.inspector && !phone ? ' app-train' : ' app-train app-tasks') : ''}`}
      style={phone ? phoneRows(full) : wizard ? wizardGrid(size) : desktopGrid(now, places)}
    >
      {phone ? <Lazy key="top" load={phoneHeader} what="The header" quiet /> : <TopBar key="top" />}
      <Rail key="rail" />
      {panel && (
        <Overlay
          key="panel"
          over={size === 'narrow'}
          side="left"
          label={PANEL_NAME[now]}
          onClose={() => showPanel(false)}
        >
          <Panel />
          {places.panel && <Splitter of={panelKey(now)} />}
        </Overlay>
      )}
      {wizard && <WizardPane key="wizard" />}
      <Viewport key="viewport" />
      {inTasks && !phone && (
        <main key="tasks" class="task-editor" aria-label="Editor" style={{ gridArea: 'viewport' }}>
          <TasksEditor />
        </main>
      )}
      {inTrain && !phone && (
        // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both of its roles take a name; the scene is the main part where it stands beside
        <div
          key="train"
          class="train-main"
          role={places.inspector ? 'region' : 'main'}
          aria-label="Trainings"
          style={{ gridArea: places.inspector ? 'main' : 'viewport' }}
        >
          <TrainMain />
        </div>
      )}
      {inspector && (
        <Overlay
          key="inspector"
          over={size !== 'wide'}
          side="right"
          label={INSPECTOR_NAME[now]}
          onClose={() => showInspector(false)}
        >
          <Inspector area={now} />
        </Overlay>
      )}
      {dock &&
        (now === 'data' ? <DataDock key="dock" /> : now === 'play' ? <PlayDock key="play" /> : <LogDock key="log" />)}
      {phone && !full && <Lazy key="transport" load={phoneTransport} what="The transport" quiet />}
      {phone && (
        <Lazy
          key={full ? now : 'sheet'}
          load={inTasks ? phoneTasks : inTrain ? phoneTrain : phoneSheet}
          what="The panel"
          quiet
        />
      )}
      <Palette key="palette" />
      <ShortcutsDialog key="help" />
      <DataDialogs key="data-dialogs" />
      <RobotDialogs key="robot-dialogs" />
      {inTasks && <TaskDialogs key="task-dialogs" />}
      <DropTarget key="drop" />
    </div>
  );
}

/** Charts get the room: the list of clips is narrower beside them. */
function panelKey(now: Area): PanelKey {
  return plotsShown.value ? 'plots' : now;
}

interface Places {
  readonly panel: boolean;
  readonly inspector: boolean;
  readonly dock: boolean;
}

function desktopGrid(now: Area, { panel, inspector, dock }: Places): CSSProperties {
  const columns = [
    'var(--rail)',
    ...(panel ? [`${panelWidths.value[panelKey(now)]}px`] : []),
    'minmax(0, 1fr)',
    ...(inspector ? [now === 'tasks' ? '320px' : 'var(--inspector)'] : []),
  ];
  const row = (middle: string, end: string) =>
    ['rail', ...(panel ? ['panel'] : []), middle, ...(inspector ? [end] : [])].join(' ');
  const top = columns.map(() => 'top').join(' ');
  if (now === 'train' && inspector) {
    // the scene stands small over the inspector: the newest checkpoint beside its curves
    return {
      gridTemplateColumns: columns.join(' '),
      gridTemplateRows: 'var(--topbar) 248px minmax(0, 1fr)',
      gridTemplateAreas: `"${top}" "${row('main', 'viewport')}" "${row('main', 'inspector')}"`,
    };
  }
  const grown = GROWS.has(now) && dockView.value !== 'timeline';
  const dockHeight =
    now === 'status' ? 'var(--dock-log)' : grown ? `${(100 * dockShare.value).toFixed(2)}vh` : 'var(--dock)';
  return {
    gridTemplateColumns: columns.join(' '),
    gridTemplateRows: `var(--topbar) minmax(0, 1fr)${dock ? ` ${dockHeight}` : ''}`,
    gridTemplateAreas: `"${top}" "${row('viewport', 'inspector')}"${dock ? ` "${row('dock', 'dock')}"` : ''}`,
  };
}

const SHEET: Readonly<Record<SheetHeight, string>> = { peek: '64px', half: 'minmax(0, 1fr)', full: 'minmax(0, 1fr)' };
const SCENE: Readonly<Record<SheetHeight, string>> = { peek: 'minmax(0, 1fr)', half: '50dvh', full: '0' };

/** Rows of the phone: header 52, scene half, transport 56, sheet, navigation 60. Tasks and Train have all of the middle. */
function phoneRows(full: boolean): CSSProperties {
  const height = sheet.value;
  return {
    gridTemplateColumns: 'minmax(0, 1fr)',
    gridTemplateRows: full ? '52px 0 0 minmax(0, 1fr) 60px' : `52px ${SCENE[height]} 56px ${SHEET[height]} 60px`,
    gridTemplateAreas: '"top" "viewport" "transport" "sheet" "rail"',
  };
}

/** The wizard: its head and foot as wide as the window, its tables beside the scene. */
function wizardGrid(size: Layout): CSSProperties {
  const table = size === 'narrow' ? 'minmax(0, 3fr) minmax(200px, 2fr)' : 'minmax(0, 640px) minmax(320px, 1fr)';
  return {
    gridTemplateColumns: `var(--rail) ${table}`,
    gridTemplateRows: 'var(--topbar) 56px minmax(0, 1fr) 56px',
    gridTemplateAreas: '"top top top" "rail head head" "rail panel viewport" "rail foot foot"',
  };
}

function WizardPane() {
  return (
    <>
      <section class="wizard-bar" aria-label="Steps of adding a robot" style={{ gridArea: 'head' }}>
        <ImportHead />
      </section>
      <section class="pane" aria-label="Add robot" style={{ gridArea: 'panel' }}>
        <ImportBody />
      </section>
      <section class="wizard-bar" aria-label="Next step" style={{ gridArea: 'foot' }}>
        <ImportFoot />
      </section>
    </>
  );
}

interface OverlayProps {
  readonly over: boolean;
  readonly side: 'left' | 'right';
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A pane in the grid or, where the window is narrow, over the viewport: Escape closes it there. */
function Overlay({ over, side, label, onClose, children }: OverlayProps) {
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!over) return;
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && document.querySelector('dialog[open]') === null)
        onClose();
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, [over, onClose]);
  return (
    <section
      ref={pane}
      class={`pane pane-${side}${over ? ' over' : ''}`}
      aria-label={side === 'right' ? `${label} inspector` : label}
      style={over ? undefined : { gridArea: side === 'left' ? 'panel' : 'inspector' }}
    >
      {children}
      {over && side === 'left' && (
        <div class="pane-close">
          <IconButton icon="close" label="Close panel" onClick={onClose} />
        </div>
      )}
    </section>
  );
}

function Inspector({ area: now }: { readonly area: Area }) {
  if (now === 'robots') return <PoseInspector />;
  if (now === 'play') return <PlayInspector />;
  if (now === 'tasks') return <TasksInspector />;
  if (now === 'train') return <TrainInspector />;
  return (
    <div class="pane-body">
      <ClipInspector />
    </div>
  );
}

/** Leaving a layout closes what lay over its viewport. */
let lastLayout: Layout = layout.peek();
layout.subscribe((next) => {
  if (next === lastLayout) return;
  lastLayout = next;
  overlayInspector.value = false;
  overlayPanel.value = false;
});
