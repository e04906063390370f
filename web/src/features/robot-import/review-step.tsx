import { signal } from '@preact/signals';
import { Button, Tabs } from '../../ui/controls.tsx';
import { sentence } from '../../ui/format.ts';
import { StateShape } from '../../ui/icon.tsx';
import { Empty } from '../../ui/states.tsx';
import { BodiesTable } from './bodies-table.tsx';
import { inspection, resetEdits, savedSpec, spec, takeSuggestion } from './draft-store.ts';
import { GainsTable } from './gains-table.tsx';
import { JointsTable } from './joints-table.tsx';
import type { Inspection } from './robot-draft.ts';
import { groupWarnings } from './warning-groups.ts';
import { WiringForm } from './wiring-form.tsx';

type Tab = 'bodies' | 'joints' | 'gains' | 'warnings';
const tab = signal<Tab>('gains');

export function showWarnings(): void {
  tab.value = 'warnings';
}

/** The suggested settings, for review and changes. */
export function ReviewStep() {
  const found = inspection.value;
  const now = spec.value;
  if (found === null || now === null) return <Empty title="No model has been read" />;
  return (
    <>
      <WiringForm found={found} spec={now} onBodies={() => (tab.value = 'bodies')} />
      <Tabs
        label="Review"
        value={tab.value}
        tabs={[
          ['bodies', 'Bodies', found.bodies.length],
          ['joints', 'Joints', found.joints.length],
          ['gains', 'Gains', Object.keys(now.joints).length],
          ['warnings', 'Warnings', found.warnings.length],
        ]}
        onChange={(next) => (tab.value = next)}
      />
      <div class="import-tab" role="tabpanel" aria-labelledby={`tab-${tab.value}`}>
        {tab.value === 'bodies' && <BodiesTable found={found} spec={now} />}
        {tab.value === 'joints' && <JointsTable found={found} spec={now} />}
        {tab.value === 'gains' && <GainsTable found={found} spec={now} />}
        {tab.value === 'warnings' && <Warnings found={found} />}
      </div>
    </>
  );
}

function Warnings({ found }: { readonly found: Inspection }) {
  const saved = savedSpec.value;
  return (
    <div class="import-scroll import-form">
      {found.warnings.length === 0 ? (
        <p class="dim">There are no warnings.</p>
      ) : (
        <ul class="import-notes">
          {groupWarnings(found.warnings).map(({ texts }) => (
            <li key={texts[0]}>
              <span class="shape-warning-mark">
                <StateShape kind="warning" />
              </span>
              {texts.length === 1 ? (
                <span>{sentence(texts[0]!)}</span>
              ) : (
                <details>
                  <summary>
                    {sentence(texts[0]!)} <span class="accent">and {texts.length - 1} more like this</span>
                  </summary>
                  <ul>
                    {texts.slice(1).map((text) => (
                      <li key={text}>{sentence(text)}</li>
                    ))}
                  </ul>
                </details>
              )}
            </li>
          ))}
        </ul>
      )}
      <h3>Reasons for the suggestions</h3>
      <dl class="import-reasons">
        <dt>Anchor</dt>
        <dd>{sentence(found.reasons.anchor)}</dd>
        <dt>Feet</dt>
        <dd>{sentence(found.reasons.feet)}</dd>
        <dt>Key bodies</dt>
        <dd>{sentence(found.reasons.keybodies)}</dd>
        <dt>Default pose</dt>
        <dd>{sentence(found.reasons.pose)}</dd>
        <dt>Contacts</dt>
        <dd>{sentence(found.reasons.contacts)}</dd>
      </dl>
      <p class="import-resets">
        {spec.value !== (saved ?? found.spec) && (
          <Button kind="outline" onClick={resetEdits}>
            {saved === null ? 'Reset to the suggestions' : 'Reset to the saved settings'}
          </Button>
        )}
        {saved !== null && (
          <Button kind="outline" onClick={takeSuggestion}>
            Use the suggestions
          </Button>
        )}
      </p>
    </div>
  );
}
