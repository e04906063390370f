import { expect, test } from 'vitest';
import type { Job } from '../../../../src/protocol/schemas/jobs.ts';
import { JobTracker } from '../../../../web/src/features/jobs/job-tracker.ts';
import { answering, settled } from '../../answers.ts';
import { deferred } from '../../deferred.ts';

const job = (name: string, status: Job['status'], more: Partial<Job> = {}): Job =>
  ({ name, status, kind: 'convert', created: name, dataset: 'samples', steps: 3, error: null, ...more }) as Job;

function tracker(answers: Parameters<typeof answering>[0]) {
  const shown: string[] = [];
  const actions: string[] = [];
  const notices: string[] = [];
  const { call } = answering(answers);
  const jobs = new JobTracker({
    call,
    toast: (kind, title, _detail, action) => {
      shown.push(`${kind}: ${title}`);
      actions.push(action?.label ?? '');
      action?.run();
    },
    failed: (what) => shown.push(`error: ${what}`),
    resume: (run) => shown.push(`resume ${run}`),
    notice: (title) => notices.push(title),
  });
  jobs.onPlayRun((run) => shown.push(`play ${run}`));
  return { jobs, shown, actions, notices };
}

test('jobs that cannot be read are an error, which the next successful read clears', async () => {
  let broken = true;
  const { jobs } = tracker({
    'GET /api/jobs': () => {
      if (broken) throw new Error('the service is starting');
      return { jobs: [job('a', 'running')] };
    },
  });
  await jobs.refreshJobs();
  expect(jobs.jobsError.value).toBe('the service is starting');
  broken = false;
  await jobs.refreshJobs();
  expect([jobs.jobsError.value, jobs.liveJobs.value.length]).toEqual([null, 1]);
});

test('a list that the service wrote before an event does not undo the event', async () => {
  const reply = deferred<unknown>();
  const { jobs, shown } = tracker({ 'GET /api/jobs': () => reply.promise });
  jobs.takeJobs({ jobs: [job('removed', 'done'), job('short', 'running')] });
  const read = jobs.refreshJobs();
  jobs.ownJob('short');
  jobs.takeJobs({ jobs: [job('short', 'done')] });
  jobs.takeJobs({ forgotten: 'removed' });
  reply.resolve({ jobs: [job('short', 'running'), job('removed', 'done')] });
  await read;
  expect(jobs.jobs.value.map(({ name, status }) => `${name} ${status}`)).toEqual(['short done']);
  expect(shown).toEqual(['ok: 3 clips of samples converted']);
});

test('removing an ended job, which is final, asks for confirmation', async () => {
  const removed: string[] = [];
  const { jobs } = tracker({ 'DELETE /api/jobs/{name}': () => removed.push('remove') });
  jobs.takeJobs({ jobs: [job('old', 'done')] });
  jobs.forgetJob('old');
  await settled();
  expect([removed.length, jobs.forgetAsked.value]).toEqual([0, 'old']);
  await jobs.confirmForget('old');
  expect(removed).toHaveLength(1);
});

test('stopping a job that has run for more than a minute asks for confirmation', async () => {
  const stopped: string[] = [];
  const { jobs } = tracker({ 'POST /api/jobs/{name}/stop': () => stopped.push('stop') });
  const ago = (s: number) => new Date(Date.now() - 1000 * s).toISOString();
  jobs.takeJobs({
    jobs: [job('long', 'running', { started: ago(600) }), job('short', 'running', { started: ago(2) })],
  });
  await jobs.stopJob('short');
  expect([stopped.length, jobs.stopAsked.value]).toEqual([1, null]);
  await jobs.stopJob('long');
  expect([stopped.length, jobs.stopAsked.value]).toEqual([1, 'long']);
  await jobs.confirmStop('long');
  expect(stopped.length).toBe(2);
});

test('the toast of a stopped training can resume its run, and its end is a notice', () => {
  const { jobs, shown, actions, notices } = tracker({});
  jobs.takeJobs({ jobs: [job('t', 'stopped', { kind: 'train', run: 'exp/t' })] });
  jobs.ownJob('t');
  expect([shown, actions, notices]).toEqual([['info: t was stopped', 'resume exp/t'], ['Resume'], ['t: stopped']]);
});

test('the toast of a finished training can play its run', () => {
  const { jobs, shown, actions } = tracker({});
  jobs.takeJobs({ jobs: [job('t', 'done', { kind: 'train', run: 'exp/t' })] });
  jobs.ownJob('t');
  expect([shown, actions]).toEqual([['ok: t is done', 'play exp/t'], ['Play']]);
});

test('the end of a job of this page is reported once, even if it arrived before the reply with its name', () => {
  const { jobs, shown } = tracker({});
  jobs.takeJobs({ jobs: [job('a', 'done')] });
  jobs.takeJobs({ jobs: [job('of another page', 'done')] });
  jobs.ownJob('a');
  jobs.takeJobs({ jobs: [job('a', 'done')] });
  expect(shown).toEqual(['ok: 3 clips of samples converted']);
});

test('a failed job is reported as an error, also to callers that wait for its end', async () => {
  const { jobs, shown } = tracker({});
  jobs.takeJobs({ jobs: [job('a', 'running')] });
  jobs.ownJob('a');
  const end = jobs.jobEnd('a');
  jobs.takeJobs({ jobs: [job('a', 'failed', { error: 'the disk is full' })] });
  expect((await end).status).toBe('failed');
  expect(shown).toEqual(['error: a failed']);
});

test('a log that arrives after another job was selected is dropped', async () => {
  const first = deferred<{ log: string[] }>();
  const replies = [() => first.promise, () => Promise.resolve({ log: ['second'] })];
  const { jobs } = tracker({ 'GET /api/jobs/{name}': () => replies.shift()?.() });
  jobs.showJob('a');
  jobs.showJob('b');
  await settled();
  first.resolve({ log: ['first'] });
  await settled();
  expect(jobs.jobLog.value).toMatchObject({ job: 'b', lines: ['second'], loading: false });
});

test('a log that cannot be read keeps its lines and shows the reason', async () => {
  const replies = [() => ({ log: ['line'] })];
  const { jobs } = tracker({
    'GET /api/jobs/{name}': () => {
      const reply = replies.shift();
      if (reply === undefined) throw new Error('no such job');
      return reply();
    },
  });
  jobs.showJob('a');
  await settled();
  expect(jobs.jobLog.value).toMatchObject({ lines: ['line'], error: null });
  jobs.showJob('a');
  await settled();
  expect(jobs.jobLog.value).toMatchObject({ error: 'no such job', loading: false });
});

test('a removed job disappears from the list, and its log is closed', async () => {
  const { jobs } = tracker({ 'GET /api/jobs/{name}': () => ({ log: [] }) });
  jobs.takeJobs({ jobs: [job('a', 'done'), job('b', 'done')] });
  jobs.showJob('a');
  jobs.takeJobs({ forgotten: 'a' });
  expect(jobs.jobs.value.map(({ name }) => name)).toEqual(['b']);
  expect([jobs.shownJob.value, jobs.jobLog.value]).toEqual([null, null]);
});
