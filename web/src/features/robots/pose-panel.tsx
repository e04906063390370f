import './robots.css';
import { useMemo } from 'preact/hooks';
import type { Joint, Robot } from '../../../../src/protocol/schemas/robots.ts';
import { owner } from '../../net/scene-owner.ts';
import { copyText } from '../../ui/clipboard.ts';
import { Button, IconButton, Switch } from '../../ui/controls.tsx';
import { sentence } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { showInspector } from '../../ui/layout.ts';
import { Empty, WithLoaded } from '../../ui/states.tsx';
import { JointSlider, JointValue } from './joint-control.tsx';
import { mirror } from './pose-store.ts';
import { jointValue, resetPose, robot, showRobot } from './robots-store.ts';
import { groupJoints, type JointGroup, type JointRow } from './shared/joint-groups.ts';

function copyPose(value: Robot): void {
  const pose = Object.fromEntries(
    value.joints.map((joint) => [joint.name, Number(jointValue(joint).peek().toFixed(4))]),
  );
  void copyText(JSON.stringify(pose, null, 2), 'Pose');
}

/** Shows the pose of the selected robot joint by joint, with a slider for each joint. */
export function PoseInspector() {
  const value = robot.state.value.value;
  return (
    <>
      <header class="pane-head">
        <h2>Pose</h2>
        <span class="grow" />
        <IconButton
          icon="copy"
          label="Copy pose"
          disabled={value === null}
          onClick={() => value !== null && copyPose(value)}
        />
        <IconButton icon="panel" label="Hide inspector" onClick={() => showInspector(false)} />
      </header>
      <div class="pane-body pose">
        <PosePanel />
      </div>
    </>
  );
}

export function PosePanel() {
  return (
    <WithLoaded
      loaded={robot.state.value}
      what="The joints could not be read"
      retry={() => void robot.refresh()}
      rows={12}
    >
      {(value: Robot) => <Joints value={value} />}
    </WithLoaded>
  );
}

function Joints({ value }: { readonly value: Robot }) {
  const names = value.joints.map((joint) => joint.name).join();
  const groups = useMemo(() => groupJoints(value.joints), [value.id, names]);
  if (value.joints.length === 0) return <Empty icon="robot" title="This robot has no joints to pose." />;
  return (
    <>
      <div class="pose-tools">
        <Button title="Default pose of the robot" onClick={() => void resetPose(false)}>
          Default
        </Button>
        <Button kind="quiet" title="Every joint at 0" onClick={() => void resetPose(true)}>
          Zero
        </Button>
        <span class="grow" />
        <Switch
          label="Mirror L/R"
          title="Also moves the same joint on the other side, as in a mirror"
          on={mirror.value}
          onChange={(on) => {
            mirror.value = on;
          }}
        />
      </div>
      <SceneElsewhere />
      {groups.map((group) => (
        <Group key={group.title} group={group} />
      ))}
    </>
  );
}

/** Warns that moving a joint replaces what the scene shows now. */
function SceneElsewhere() {
  const now = owner.value;
  if (now === null || now === 'robots') return null;
  return (
    <div class="note">
      <Icon name="info" />
      <span class="grow">The scene shows {sentence(now)}.</span>
      <Button small onClick={() => void showRobot()}>
        Show robot
      </Button>
    </div>
  );
}

function Group({ group }: { readonly group: JointGroup<Joint> }) {
  return (
    <details class="group" open>
      <summary>
        <Icon name="right" small />
        <h3>{group.title}</h3>
        {group.paired && (
          <span class="sides" aria-hidden="true">
            <span>left</span>
            <span>right</span>
          </span>
        )}
      </summary>
      {group.rows.map((row) =>
        row.single === null ? (
          <Pair key={row.label} row={row} />
        ) : (
          <Single key={row.label} label={row.label} joint={row.single} />
        ),
      )}
    </details>
  );
}

function Pair({ row }: { readonly row: JointRow<Joint> }) {
  return (
    <div class="joint-pair">
      {row.left !== null && (
        <div class="joint">
          <span class="joint-label">
            <span class="ellipsis" title={row.left.name}>
              {row.label}
            </span>
            <JointValue joint={row.left} />
          </span>
          <JointSlider joint={row.left} />
        </div>
      )}
      {row.right !== null && (
        <div class="joint">
          <span class="joint-label">
            <span />
            <JointValue joint={row.right} />
          </span>
          <JointSlider joint={row.right} />
        </div>
      )}
    </div>
  );
}

function Single({ label, joint }: { readonly label: string; readonly joint: Joint }) {
  return (
    <div class="joint-single">
      <span class="ellipsis" title={joint.name}>
        {label}
      </span>
      <JointSlider joint={joint} />
      <JointValue joint={joint} />
    </div>
  );
}
