import { checkpointTitle } from './metric-words.ts';
import type { Report } from './run-evaluations.ts';

/** The tab that shows with which settings the evaluation was run. */
export function ProtocolTab({ report: { protocol, run, job, created } }: { readonly report: Report }) {
  const facts: readonly (readonly [string, string])[] = [
    ['Run', run],
    ['Checkpoints', protocol.checkpoints.map(checkpointTitle).join(', ')],
    ['Motion library', `${protocol.motion}, ${protocol.clips} clips`],
    ['Starts per clip', String(protocol.starts)],
    ['Horizon', protocol.horizon_s === null ? "To the clip's end" : `${protocol.horizon_s} s`],
    ['Seed', String(protocol.seed)],
    ['Control rate', `${protocol.control_hz} Hz`],
    ['Conditions', protocol.conditions.map(({ name }) => name).join(', ')],
    ['Failure', protocol.failure],
    ['Alignment', protocol.alignment],
    ['Robot model', protocol.model],
    ['Made by', `motion-studio ${protocol.version}, job ${job}, ${created}`],
  ];
  return (
    <dl class="evaluate-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt class="dim">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
