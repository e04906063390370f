import type { Job } from '../../../../src/protocol/schemas/jobs.ts';
import { FINAL_NOTE } from '../../net/undo.ts';
import { Confirm } from '../../ui/dialogs/confirm.tsx';
import { span } from '../../ui/format.ts';
import { confirmForget, confirmStop, forgetAsked, jobs, stopAsked } from './jobs-store.ts';

/** The question that is open: before a job is stopped, or before one is removed. */
export function JobDialog() {
  return forgetAsked.value === null ? <StopDialog /> : <ForgetDialog />;
}

/** A dialog that asks for confirmation before a job is stopped that has run for more than a minute. */
function StopDialog() {
  const job = jobs.value.find(({ name }) => name === stopAsked.value);
  if (job === undefined) return null;
  const ran = job.started === null ? 0 : (Date.now() - Date.parse(job.started)) / 1000;
  return (
    <Confirm
      title={`Stop ${job.name}?`}
      word="Stop"
      onClose={() => {
        stopAsked.value = null;
      }}
      run={() => confirmStop(job.name)}
    >
      It has run for {span(ran)}.{' '}
      {job.kind === 'train'
        ? 'It saves a checkpoint first. You can resume it later.'
        : job.kind === 'convert'
          ? 'Converted clips are kept. Convert the missing clips to continue.'
          : 'Finished episodes are kept. You can resume it later.'}
    </Confirm>
  );
}

const STAYS: Readonly<Record<Job['kind'], string>> = {
  train: 'Its run with checkpoints and curves stays.',
  convert: 'The converted clips stay.',
  evaluate: 'Its report stays.',
};

/** A dialog that asks for confirmation before the record and the log of an ended job are deleted. */
function ForgetDialog() {
  const job = jobs.value.find(({ name }) => name === forgetAsked.value);
  if (job === undefined) return null;
  return (
    <Confirm
      title={`Remove ${job.name}?`}
      word="Remove job"
      onClose={() => {
        forgetAsked.value = null;
      }}
      run={() => confirmForget(job.name)}
    >
      Its entry in the list and its log are deleted. {FINAL_NOTE} {STAYS[job.kind]}
    </Confirm>
  );
}
