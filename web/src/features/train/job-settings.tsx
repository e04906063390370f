import type { Job, Run } from '../../../../src/protocol/schemas/jobs.ts';
import { dateTime, span } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { presets } from '../tasks/presets-store.ts';
import { flatten } from '../tasks/shared/edits.ts';
import { chosenRun } from './train-view-store.ts';
import { runFileUrl } from './training-launch.ts';

const FILES: readonly (readonly [file: string, text: string])[] = [
  ['params/env.yaml', 'Task as it was trained'],
  ['params/agent.yaml', 'Trainer and network'],
];

/** Path and title of the policy that the built-in trainer exports with each checkpoint. */
const EXPORT = ['params/policy.onnx', 'Policy of the newest checkpoint, for deployment'] as const;

/** Returns facts about the result of a run: its start, its duration and its score. */
function resultOf(run: Run | null): readonly (readonly [string, unknown])[] {
  if (run === null) return [];
  const { started_from: startedFrom, minutes, score } = run;
  return [
    ['started with the networks of', startedFrom],
    ['trained', minutes === null ? null : span(60 * minutes)],
    ['tracks', score === null ? null : `${score.tracked_s.toFixed(2)} of ${score.horizon_s} s`],
    ['whole episodes', score === null ? null : `${(100 * score.success).toFixed(0)} %`],
    ['measured by', score?.by],
  ];
}

/** Shows the settings of a training, its changes to the preset, and the files of its run. */
export function JobSettings({ job }: { readonly job: Job }) {
  const run = chosenRun.value;
  const preset = presets.state.value.value?.presets.find(({ task }) => task === job.task);
  const changes = preset === undefined ? [] : Object.entries(flatten(preset.overrides));
  const facts: readonly (readonly [string, unknown])[] = [
    ['task', job.task],
    ['dataset', job.dataset],
    ['trainer', job.trainer],
    ['launcher', job.launcher],
    ['run', job.run],
    ...Object.entries(job.params),
    ['started', job.started === null ? null : dateTime(job.started)],
    ['process', job.pid],
    ...resultOf(run),
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
    <section class="job-settings" aria-label="Settings" tabIndex={0}>
      <h3>Launched with</h3>
      <dl>
        {facts
          .filter(([, value]) => value !== null && value !== undefined && value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt class="dim">{name}</dt>
              <dd class="mono">{typeof value === 'object' ? JSON.stringify(value) : String(value)}</dd>
            </div>
          ))}
      </dl>
      {preset !== undefined && (
        <>
          <h3>Changes of {preset.name}, as the preset is now</h3>
          <dl>
            {changes.map(([path, value]) => (
              <div key={path}>
                <dt class="dim">{path}</dt>
                <dd class="mono">{JSON.stringify(value)}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {run !== null && (
        <>
          <h3>Files</h3>
          <ul class="run-files">
            {[...FILES, ...(run.format === 'studio' ? [EXPORT] : [])].map(([file, text]) => (
              <li key={file}>
                <a class="btn btn-quiet btn-s" href={runFileUrl(run.path, file)} download={file.split('/').at(-1)}>
                  <Icon name="download" />
                  <span class="mono">{file}</span>
                </a>
                <span class="dim">{text}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
