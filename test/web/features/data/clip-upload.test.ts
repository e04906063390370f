import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import { ClipUpload, type ClipUploadDeps } from '../../../../web/src/features/data/clip-upload.ts';
import { Loadable } from '../../../../web/src/ui/loadable.ts';
import { ToastQueue } from '../../../../web/src/ui/toast-queue.ts';
import { answering } from '../../answers.ts';

/** The service's answer to a file that replaces nothing. */
const REPLY = JSON.stringify({ ok: true, undo: null });

const files = (...names: string[]) => names.map((name) => ({ file: new File(['0,0\n'], name), path: name }));

function uploader(putFile: ClipUploadDeps['putFile']) {
  const { call, calls } = answering({
    'POST /api/data/new': () => ({ dataset: 'mine' }),
    'POST /api/data/uploaded': () => ({ ok: true }),
  });
  const toasts = new ToastQueue();
  const upload = new ClipUpload({
    call,
    putFile,
    dataDialog: signal(null),
    failed: toasts.failed,
    toast: toasts.toast,
    chooseDataset: () => {},
    datasets: new Loadable(async () => ({ robot: 'g1', datasets: [] })) as never,
    refreshListing: () => {},
  });
  return { upload, calls, toasts, shown: () => toasts.toasts.value.map(({ kind, title }) => `${kind}: ${title}`) };
}

test('all files are sent, at most three at a time, into a dataset that is created first', async () => {
  let [now, most] = [0, 0];
  const { upload, calls, shown } = uploader(async () => {
    most = Math.max(most, ++now);
    await Promise.resolve();
    now--;
    return REPLY;
  });
  upload.chooseFiles(files('a.csv', 'b.csv', 'c.csv', 'd.csv', 'e.csv'));
  await upload.startUpload(upload.chosenUpload.value!, 'mine', true);
  expect(calls).toEqual(['POST /api/data/new', 'POST /api/data/uploaded']);
  expect(most).toBe(3);
  expect(upload.upload.value).toMatchObject({ state: 'done', done: 5, failures: [], active: [] });
  expect(upload.upload.value?.sent).toBe(upload.upload.value?.bytes);
  expect(shown()).toEqual(['ok: 5 files uploaded to mine']);
});

test('replaced clips can be restored from the toast', async () => {
  let token = 0;
  const { upload, toasts } = uploader(async () =>
    JSON.stringify({ ok: true, undo: token++ === 0 ? null : `t${token}` }),
  );
  upload.chooseFiles(files('a.csv', 'b.csv'));
  await upload.startUpload(upload.chosenUpload.value!, 'mine', false);
  expect(toasts.toasts.value[0]?.action?.label).toBe('Undo');
});

test('a refused file does not stop the others, and its reason is kept without the file name', async () => {
  const { upload } = uploader(async (_, file) => {
    if (file.name === 'b.csv') throw new Error('b.csv: 27 columns, expected 36');
    return REPLY;
  });
  upload.chooseFiles(files('a.csv', 'b.csv', 'c.csv'));
  await upload.startUpload(upload.chosenUpload.value!, 'mine', false);
  expect(upload.upload.value).toMatchObject({
    done: 2,
    failures: [{ name: 'b.csv', reason: '27 columns, expected 36' }],
  });
});

test('a cancelled upload sends no further file and reports no failure', async () => {
  let sent = 0;
  const { upload } = uploader(async () => {
    sent++;
    upload.cancelUpload();
    throw new DOMException('cancelled', 'AbortError');
  });
  upload.chooseFiles(files('a.csv', 'b.csv', 'c.csv', 'd.csv'));
  await upload.startUpload(upload.chosenUpload.value!, 'mine', false);
  expect(sent).toBeLessThanOrEqual(3);
  expect(upload.upload.value).toMatchObject({ state: 'cancelled', done: 0, failures: [] });
});
