import { fixed } from '../../ui/format.ts';
import { changeJoints } from './draft-store.ts';
import { withVelocityLimit } from './gains.ts';
import { NumberCell, RangeLine, widestRange } from './number-cell.tsx';
import type { ReviewProps } from './wiring-form.tsx';

/** Every joint with its range and its value in the default pose. */
export function JointsTable({ found, spec }: ReviewProps) {
  const widest = widestRange(found.joints);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
    <div class="import-scroll" tabIndex={0}>
      <table class="import-table import-joints">
        <thead>
          <tr>
            <th>Joint</th>
            <th class="import-range">Range and default</th>
            <th class="right">Lower</th>
            <th class="right">Upper</th>
            <th class="right">Default</th>
            <th class="right">Speed limit</th>
          </tr>
        </thead>
        <tbody>
          {found.joints.map((joint) => {
            const own = spec.joints[joint.name];
            return (
              <tr key={joint.name}>
                <td class="mono ellipsis" title={`${joint.name}, ${joint.type}`}>
                  {joint.name}
                </td>
                <td class="import-range">
                  <RangeLine
                    lower={joint.lower}
                    upper={joint.upper}
                    at={own?.default ?? joint.default}
                    widest={widest}
                  />
                </td>
                <td class="right num">{joint.lower === null ? '–' : fixed(joint.lower, 2)}</td>
                <td class="right num">{joint.upper === null ? '–' : fixed(joint.upper, 2)}</td>
                <td class="right">
                  {own === undefined ? (
                    <span
                      class="dim ellipsis"
                      title={joint.follows === undefined ? undefined : `follows ${joint.follows}`}
                    >
                      {joint.follows === undefined ? 'no motor' : 'follows'}
                    </span>
                  ) : (
                    <NumberCell
                      label={`Default of ${joint.name}, ${joint.unit}`}
                      value={own.default}
                      unit={joint.unit}
                      onChange={(value) => changeJoints([joint.name], (now) => ({ ...now, default: value }))}
                    />
                  )}
                </td>
                <td class="right num">
                  {own === undefined ? (
                    <span class="dim">–</span>
                  ) : (
                    <NumberCell
                      label={`Velocity limit of ${joint.name}, ${joint.unit}/s`}
                      value={own.velocity_limit ?? null}
                      digits={1}
                      least={1e-3}
                      unit={`${joint.unit}/s`}
                      title="Empty: no limit is known"
                      onChange={(value) => changeJoints([joint.name], (now) => withVelocityLimit(now, value))}
                      onClear={() => changeJoints([joint.name], (now) => withVelocityLimit(now, null))}
                    />
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
