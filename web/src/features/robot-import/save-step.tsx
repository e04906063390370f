import { Button } from '../../ui/controls.tsx';
import { TextField } from '../../ui/fields.tsx';
import { count, fixed } from '../../ui/format.ts';
import { Icon, StateShape } from '../../ui/icon.tsx';
import { Empty } from '../../ui/states.tsx';
import { robots } from '../robots/robots-store.ts';
import { changeSpec, inspection, report, spec } from './draft-store.ts';
import { anotherRobot, problem, replaced, saved } from './wizard-store.ts';

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Why an id is invalid; null for a valid one. */
function idProblem(id: string): string | null {
  if (!ID.test(id))
    return 'Start with a letter or digit; then letters, digits, dots, underscores, hyphens; at most 64.';
  const taken = id !== replaced.value && robots.state.value.value?.robots.some((robot) => robot.id === id) === true;
  return taken ? `A robot ${id} exists. Choose another ID.` : null;
}

export function saveReady(): boolean {
  const now = spec.value;
  return now !== null && now.name.trim() !== '' && idProblem(now.id) === null;
}

/** Id and name of the robot, and a summary of its settings. */
export function SaveStep() {
  const now = spec.value;
  const done = saved.value;
  if (done !== null) {
    return (
      <Empty icon="check" title={`${done.id} is saved`}>
        <p class="dim">
          The scene shows it. Its training task is <span class="mono">{done.task}</span>. To train a policy, the robot
          needs motion clips.
        </p>
        <Button kind="outline" onClick={anotherRobot}>
          Add another
        </Button>
      </Empty>
    );
  }
  if (now === null) return <Empty title="No model has been read" />;
  const mass = inspection.value?.bodies.reduce((sum, body) => sum + body.mass, 0) ?? 0;
  const failed = report.value?.ok === false;
  return (
    <div class="import-scroll import-form">
      <div class="form-pair">
        <TextField
          label="ID"
          value={now.id}
          mono
          error={idProblem(now.id)}
          hint="Names the folder and the tasks of the robot"
          onInput={(id) => {
            problem.value = null;
            changeSpec({ id });
          }}
        />
        <TextField
          label="Name"
          value={now.name}
          error={now.name.trim() === '' ? 'Enter a name.' : null}
          hint="Shown in the list of robots"
          onInput={(name) => changeSpec({ name })}
        />
      </div>
      {now.id === replaced.value && (
        <p class="note">
          <StateShape kind="info" />
          Replaces the robot {now.id}.
        </p>
      )}
      {failed && (
        <p class="note note-err">
          <Icon name="warn" />
          Some checks failed. Clips can be shown on this robot, but a training may not work.
        </p>
      )}
      {report.value === null && (
        <p class="note">
          <StateShape kind="info" />
          These settings have not been checked.
        </p>
      )}
      <dl class="facts import-facts">
        <Fact name="Model" value={now.model} mono />
        <Fact name="Bodies" value={String(inspection.value?.bodies.length ?? 0)} />
        <Fact name="Actuated joints" value={String(Object.keys(now.joints).length)} />
        <Fact name="Mass" value={`${fixed(mass, 2)} kg`} />
        <Fact name="Root height" value={`${fixed(now.root_height, 3)} m`} />
        <Fact name="Anchor" value={now.wiring.anchor} mono />
        <Fact name="Key bodies" value={count(now.wiring.keybodies.length, 'body').replace('bodys', 'bodies')} />
        <Fact name="Feet" value={now.wiring.feet.join(', ') || 'none'} mono />
      </dl>
    </div>
  );
}

function Fact({
  name,
  value,
  mono = false,
}: {
  readonly name: string;
  readonly value: string;
  readonly mono?: boolean;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={`ellipsis${mono ? ' mono' : ''}`} title={value}>
        {value}
      </dd>
    </div>
  );
}
