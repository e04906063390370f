import type { RobotSpec } from '../../../../src/protocol/schemas/robots.ts';
import { Button } from '../../ui/controls.tsx';
import { sentence } from '../../ui/format.ts';
import { StateShape } from '../../ui/icon.tsx';
import { Empty, Skeleton } from '../../ui/states.tsx';
import { changeSpec, report, spec } from './draft-store.ts';
import type { CheckReport } from './robot-draft.ts';
import { runCheck, working } from './wizard-store.ts';

const TITLE: Readonly<Record<string, string>> = {
  compiles: 'Compiles',
  mass: 'Mass',
  joints: 'Joints',
  gains: 'Gains',
  wiring: 'Wiring',
  collision: 'Collision shapes',
  self_contact: 'Self-contact',
  hangs: 'Holds pose in the air',
  ground: 'Placed on the ground',
  feet: 'Feet',
  stands: 'Balances',
};

type Check = CheckReport['checks'][number];
type Pairs = NonNullable<Check['exclude']>;

/** The results of the check, one line per test. */
export function CheckStep() {
  const now = report.value;
  if (now === null) {
    if (working.value !== null) return <Skeleton rows={9} label="Checking the robot" />;
    return (
      <Empty icon="info" title="The robot has not been checked">
        <p class="dim">A simulation keeps the robot in the air, then lets it stand on the ground for half a second.</p>
      </Empty>
    );
  }
  const failed = now.checks.filter(({ ok }) => !ok).length;
  return (
    <div class="import-scroll import-form">
      <p class="import-verdict" role="status">
        <StateShape kind={now.ok ? 'ok' : 'error'} />
        {now.ok ? 'All checks passed' : failed === 1 ? '1 check failed' : `${failed} checks failed`}
      </p>
      <ul class="import-checks" aria-label="Checks">
        {now.checks.map((check) => (
          <CheckRow key={check.name} check={check} />
        ))}
      </ul>
    </div>
  );
}

function CheckRow({ check }: { readonly check: Check }) {
  const kind = !check.ok ? 'error' : check.warning === true ? 'warning' : 'ok';
  const pairs = check.exclude ?? [];
  return (
    <li class={`import-check import-check-${kind}`}>
      <StateShape kind={kind} />
      <div>
        <p class="semi">
          {TITLE[check.name] ?? check.name}
          <span class="visually-hidden">
            {kind === 'ok' ? ' passed' : kind === 'warning' ? ' passed with a warning' : ' failed'}
          </span>
        </p>
        <p class={check.ok ? 'dim' : ''}>{sentence(check.text)}</p>
        {pairs.length > 0 && (
          <p class="import-exclude">
            <Button small kind="outline" onClick={() => exclude(pairs)}>
              {pairs.length === 1
                ? 'Ignore contacts of this pair and check again'
                : 'Ignore contacts of these pairs and check again'}
            </Button>
            <span class="mono dim">{pairs.map((pair) => pair.join(' – ')).join(', ')}</span>
          </p>
        )}
      </div>
    </li>
  );
}

/** Allows pairs of bodies to overlap, then repeats the check. */
function exclude(pairs: Pairs): void {
  const contacts = spec.peek()?.contacts ?? {};
  const known = contacts.exclude ?? [];
  const has = (pair: readonly string[]) => known.some(([a, b]) => pair.includes(a) && pair.includes(b));
  const added = pairs.filter((pair) => !has(pair)) as unknown as NonNullable<
    NonNullable<RobotSpec['contacts']>['exclude']
  >;
  changeSpec({ contacts: { ...contacts, exclude: [...known, ...added] } });
  void runCheck();
}
