import { Confirm } from '../../ui/dialogs/confirm.tsx';
import { span } from '../../ui/format.ts';
import { confirmStop, jobs, stopAsked } from './jobs-store.ts';

/** A dialog that asks for confirmation before a job is stopped that has run for more than a minute. */
export function StopDialog() {
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
