import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import { FolderUpload } from '../../../../web/src/features/robot-import/folder-upload.ts';
import { ImportSteps } from '../../../../web/src/features/robot-import/import-steps.ts';
import { RobotDraft } from '../../../../web/src/features/robot-import/robot-draft.ts';
import { Loadable } from '../../../../web/src/ui/loadable.ts';
import { answering, settled } from '../../answers.ts';
import { deferred } from '../../deferred.ts';

type ApiAnswers = Parameters<typeof answering>[0];

const FILES = [{ path: 'a.xml', kind: 'mjcf', bytes: 10, main: true }];
const SPEC = { id: 'strider', name: 'Strider', model: 'a.xml', joints: {}, wiring: { anchor: 'torso' } };

function wizard(answers: ApiAnswers, putFile: (url: string) => Promise<string> = async () => '') {
  const { call, calls } = answering({
    'GET /api/robots': () => ({ robots: [{ id: 'g1', source: 'created' }], selected: 'g1' }),
    'GET /api/robots/import': () => ({ unfinished: [{ id: 'strider' }], draft: null, robots: [], folder: '/robots' }),
    'GET /api/robots/import/files': () => ({ files: FILES }),
    'POST /api/robots/import/inspect': () => ({ id: 'strider', spec: SPEC }),
    'POST /api/robots/import/preview': () => ({}),
    ...answers,
  });
  const robots = new Loadable(() => call('GET /api/robots'));
  const imports = new Loadable(() => call('GET /api/robots/import'));
  const removedUpload = signal<string | null>(null);
  const draft = new RobotDraft({
    call,
    failed: () => {},
    remembered: () => null,
    remember: () => {},
    draftWiring: signal(null),
  });
  const upload = new FolderUpload({ call, putFile, imports });
  const steps = new ImportSteps({
    call,
    robots,
    imports,
    removedUpload,
    selectRobot: async () => true,
    showRobot: async () => {},
    draft,
    upload,
    importing: signal(true),
    importRequest: signal(null),
    owner: signal(null),
    clickedBody: signal(null),
    litBody: signal(null),
  });
  return { steps, upload, draft, removedUpload, calls };
}

test('a model that cannot be read shows its reason on the step, and the next attempt can succeed', async () => {
  let broken = true;
  const { steps } = wizard({
    'POST /api/robots/import/inspect': () => {
      if (broken) throw new Error('a.xml: line 3: no such mesh');
      return { id: 'strider', spec: SPEC };
    },
  });
  await steps.continueUpload('strider');
  await steps.readModel();
  expect([steps.step.value, steps.problem.value]).toEqual(['model', 'a.xml: line 3: no such mesh']);
  broken = false;
  await steps.readModel();
  expect([steps.step.value, steps.problem.value, steps.working.value]).toEqual(['review', null, null]);
});

test('the reply to a stopped check is dropped without an error', async () => {
  const reply = deferred<{ ok: boolean; checks: [] }>();
  const { steps } = wizard({ 'POST /api/robots/import/check': () => reply.promise });
  await steps.continueUpload('strider');
  await steps.readModel();
  const check = steps.runCheck();
  expect(steps.working.value).toBe('Checking the robot');
  steps.stopWork();
  reply.reject(new Error('aborted'));
  await check;
  expect([steps.problem.value, steps.working.value]).toEqual([null, null]);
});

test('a second action is refused while one is running', async () => {
  const reply = deferred<{ files: typeof FILES }>();
  const { steps, calls } = wizard({ 'GET /api/robots/import/files': () => reply.promise });
  const first = steps.continueUpload('strider');
  await steps.copyFolder('/somewhere', 'strider');
  expect(calls).not.toContain('POST /api/robots/import/path');
  reply.resolve({ files: FILES });
  await first;
  expect(steps.step.value).toBe('model');
});

test('a saved robot is edited with its own files, without an upload', async () => {
  const saved = { ...SPEC, id: 'g1', name: 'Mine' };
  const { steps, draft, calls } = wizard({
    'GET /api/robots/import': () => ({ unfinished: [], draft: null, robots: [], folder: '/robots' }),
    'GET /api/robots/{id}/spec': () => ({ id: 'g1', spec: saved }),
    'POST /api/robots/import/inspect': () => ({ id: 'g1', spec: { ...SPEC, id: 'g1' } }),
  });
  await steps.takeRequest({ kind: 'edit', robot: 'g1' });
  expect([steps.step.value, steps.uploadId.value, draft.spec.value?.name]).toEqual(['review', 'g1', 'Mine']);
  expect(calls).not.toContain('POST /api/robots/import/path');
  // If the same step is requested again, it does not change.
  steps.goToStep('model');
  await steps.takeRequest({ kind: 'edit', robot: 'g1' });
  expect(steps.step.value).toBe('model');
});

test('removing the upload of the wizard restarts the wizard', async () => {
  const { steps, draft, removedUpload } = wizard({});
  await steps.continueUpload('strider');
  await steps.readModel();
  removedUpload.value = 'another';
  expect(steps.step.value).toBe('review');
  removedUpload.value = 'strider';
  expect([steps.step.value, steps.uploadId.value, draft.spec.value]).toEqual(['files', null, null]);
});

test('an upload with a refused file stays on its step with the reason, and only that file is sent again', async () => {
  const sent: string[] = [];
  let refuse = true;
  const { steps, upload } = wizard(
    { 'GET /api/robots/import/files': () => ({ files: [{ path: 'a.xml', kind: 'mjcf', bytes: 1, main: true }] }) },
    async (url) => {
      sent.push(url.split('/').at(-1) ?? '');
      if (refuse && url.endsWith('b.obj')) throw new Error('the disk is full');
      return '';
    },
  );
  const file = (name: string) => ({ file: new File(['x'], name), path: `strider/${name}` });
  await steps.takeModelFiles([file('a.xml'), file('b.obj')]);
  await steps.startSending('strider');
  expect(upload.sending.value).toMatchObject({ done: 1, failures: [{ path: 'b.obj', reason: 'the disk is full' }] });
  expect(steps.step.value).toBe('files');
  refuse = false;
  sent.length = 0;
  await steps.startSending('strider');
  await settled();
  expect(sent).toEqual(['b.obj']);
  expect(steps.step.value).toBe('model');
});
