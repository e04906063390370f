import { AREAS, type AreaSpec, areaSpec, type LoadPart } from '../features/areas.ts';
import { area, inspectorOpen, layout, panelOpen, sheet, showInspector, showPanel } from '../ui/layout.ts';
import { Lazy } from '../ui/lazy.tsx';
import { DropTarget } from './drop-target.tsx';
import { firstRunShown } from './first-run.ts';
import { desktopGrid, type Places, panelSlot, phoneGrid, wizardGrid } from './grid.ts';
import { Palette, ShortcutsDialog } from './late-dialogs.tsx';
import { Pane } from './pane.tsx';
import { Rail } from './rail.tsx';
import { ScenePane } from './scene-pane.tsx';
import { Splitter } from './splitter.tsx';
import { TopBar } from './top-bar.tsx';

const dock: LoadPart = () => import('./dock/dock.tsx').then((part) => part.Dock);
/** Parts of the phone layout, loaded only on phones. */
const phoneHeader: LoadPart = () => import('./phone.tsx').then((part) => part.PhoneHeader);
const phoneTransport: LoadPart = () => import('./phone.tsx').then((part) => part.PhoneTransport);
const phoneSheet: LoadPart = () => import('./phone.tsx').then((part) => part.PhoneSheet);

/** Which parts the present layout shows, and where. */
interface Arrangement extends Places {
  readonly phone: boolean;
  readonly wizard: boolean;
  /** whether the area's `main` is shown */
  readonly main: boolean;
  /** whether panel and inspector overlay the viewport */
  readonly over: { readonly panel: boolean; readonly inspector: boolean };
}

function arrange(spec: AreaSpec): Arrangement {
  const size = layout.value;
  const phone = size === 'phone';
  const bare = firstRunShown.value;
  const wizard = !phone && spec.wizard?.isOpen() === true;
  const panes = !phone && !bare && !wizard;
  return {
    phone,
    wizard,
    main: !bare && spec.main !== undefined,
    panel: panes && panelOpen.value,
    inspector: panes && spec.inspector !== undefined && inspectorOpen.value,
    dock: !phone && !bare && spec.dock !== undefined,
    over: { panel: size === 'narrow', inspector: size !== 'wide' },
  };
}

/** Focuses the area's content: its main part, or its panel. */
function focusContent(main: boolean): void {
  const content = document.querySelector<HTMLElement>(main ? '.area-main' : '.pane-left, .sheet, .pane');
  if (content === null) return;
  content.tabIndex = -1;
  content.focus();
}

/** The grid of the page. The viewport stays the same element in every layout, so the scene is not rebuilt. */
export function App() {
  const spec = areaSpec(area.value);
  const at = arrange(spec);
  const { over } = at;
  const places = {
    panel: at.panel && !over.panel,
    inspector: at.inspector && !over.inspector,
    dock: at.dock,
  };
  const beside = spec.main?.scene === 'beside' && places.inspector;
  const grid = at.phone
    ? phoneGrid(sheet.value, at.main)
    : at.wizard
      ? wizardGrid(layout.value)
      : desktopGrid(spec, places);
  return (
    <div class={`app app-${layout.value}${at.main ? (beside ? ' app-beside' : ' app-full') : ''}`} style={grid}>
      <button type="button" key="skip" class="skip-link" onClick={() => focusContent(at.main)}>
        Skip to {at.main ? spec.main?.title.toLowerCase() : spec.title.toLowerCase()}
      </button>
      {at.phone ? <Lazy key="top" load={phoneHeader} what="The header" quiet /> : <TopBar key="top" />}
      <Rail key="rail" />
      {at.panel && (
        <Pane key="panel" over={over.panel} side="left" label={spec.title} onClose={() => showPanel(false)}>
          <Lazy load={spec.panel} what={spec.title} />
          {places.panel && <Splitter {...panelSlot(spec)} />}
        </Pane>
      )}
      {at.wizard && <WizardPane key="wizard" spec={spec} />}
      <ScenePane key="viewport" />
      {at.main && !at.phone && <MainPart key="main" spec={spec} beside={beside} />}
      {at.inspector && spec.inspector !== undefined && (
        <Pane
          key="inspector"
          over={over.inspector}
          side="right"
          label={spec.inspector.title}
          onClose={() => showInspector(false)}
        >
          <Lazy load={spec.inspector.load} what="The inspector" />
        </Pane>
      )}
      {at.dock && <Lazy key="dock" load={dock} what="The dock" quiet />}
      {at.phone && !at.main && <Lazy key="transport" load={phoneTransport} what="The transport" quiet />}
      {at.phone && (
        <Lazy key="sheet" load={at.main && spec.phone !== undefined ? spec.phone : phoneSheet} what="The panel" quiet />
      )}
      <Palette key="palette" />
      <ShortcutsDialog key="help" />
      {AREAS.map(({ id, globalDialogs: Dialogs }) => Dialogs !== undefined && <Dialogs key={`dialogs-${id}`} />)}
      {(at.main || spec.main === undefined) && spec.dialogs !== undefined && <Lazy key="dialogs" load={spec.dialogs} />}
      <DropTarget key="drop" />
    </div>
  );
}

/** The area's main part, instead of the scene. If the scene stays visible beside it, the scene is the document's main
 *  landmark. */
function MainPart({ spec, beside }: { readonly spec: AreaSpec; readonly beside: boolean }) {
  if (spec.main === undefined) return null;
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both possible roles accept a name
    <div
      class="area-main"
      role={beside ? 'region' : 'main'}
      aria-label={spec.main.title}
      style={{ gridArea: beside ? 'main' : 'viewport' }}
    >
      <Lazy key={spec.id} load={spec.main.load} what={spec.main.title} />
    </div>
  );
}

function WizardPane({ spec }: { readonly spec: AreaSpec }) {
  const { wizard } = spec;
  if (wizard === undefined) return null;
  return (
    <>
      <section class="wizard-bar" aria-label={`${wizard.title}: steps`} style={{ gridArea: 'head' }}>
        <Lazy load={wizard.head} what={wizard.title} quiet />
      </section>
      <section class="pane" aria-label={wizard.title} style={{ gridArea: 'panel' }}>
        <Lazy load={wizard.body} what={wizard.title} />
      </section>
      <section class="wizard-bar" aria-label={`${wizard.title}: next step`} style={{ gridArea: 'foot' }}>
        <Lazy load={wizard.foot} what={wizard.title} quiet />
      </section>
    </>
  );
}
