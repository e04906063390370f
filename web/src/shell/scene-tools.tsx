import { AREAS, areaSpec } from '../features/areas.ts';
import { owner } from '../net/scene-owner.ts';
import { IconButton } from '../ui/controls.tsx';
import { area, inspectorOpen, layout, panelOpen, showInspector, showPanel } from '../ui/layout.ts';
import { Lazy } from '../ui/lazy.tsx';
import { captureOpen, cycleFollow, FOLLOW_NAME, followMode, viewer } from '../viewport/view-state.ts';

const recordButton = () => import('../features/recordings/record-button.tsx').then((part) => part.RecordButton);

/** Pills at the top left with one fact about the scene each. */
export function ScenePills() {
  return (
    <div class="hud">
      {AREAS.flatMap(({ id, pills = [] }) =>
        pills
          .filter((part) => part.owner === undefined || part.owner === owner.value)
          .map(({ load, owner: of }) => <Lazy key={`${id}-${of}`} load={load} what="The scene's labels" quiet />),
      )}
    </div>
  );
}

/** Camera buttons, the area's tools and the buttons of closed panes, top right. @param bare show only the camera
 *  buttons */
export function SceneTools({ bare }: { readonly bare: boolean }) {
  const spec = areaSpec(area.value);
  const size = layout.value;
  const own = !bare && spec.wizard?.isOpen() !== true;
  return (
    <div class="tools">
      <div class="tool-group">
        <IconButton
          icon={followMode.value === 'heading' ? 'heading' : 'camera'}
          label={FOLLOW_NAME[followMode.value]}
          hint="F"
          pressed={followMode.value !== 'free'}
          onClick={cycleFollow}
        />
        <IconButton icon="frame" label="Frame all" hint="A" onClick={() => viewer.peek()?.frameAll()} />
        {viewer.value !== null && size !== 'phone' && (
          <IconButton
            icon="photo"
            label="Save a picture or video"
            hint="S"
            pressed={captureOpen.value}
            onClick={() => {
              captureOpen.value = !captureOpen.peek();
            }}
          />
        )}
      </div>
      {!bare && size !== 'phone' && <Lazy load={recordButton} what="The record button" quiet />}
      {own && spec.tools !== undefined && <Lazy key={spec.id} load={spec.tools} what="The tools" quiet />}
      {own && size !== 'phone' && (
        <div class="tool-group">
          {size === 'narrow' && !panelOpen.value && (
            <IconButton icon="folder" label="Show panel" onClick={() => showPanel(true)} />
          )}
          {spec.inspector !== undefined && !inspectorOpen.value && (
            <IconButton
              icon="panel"
              label={`Show ${spec.inspector.title.toLowerCase()} inspector`}
              onClick={() => showInspector(true)}
            />
          )}
        </div>
      )}
    </div>
  );
}
