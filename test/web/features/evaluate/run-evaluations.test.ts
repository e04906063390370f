import { expect, test } from 'vitest';
import { RunEvaluations, sideIndex } from '../../../../web/src/features/evaluate/run-evaluations.ts';
import type { callBytes } from '../../../../web/src/net/api.ts';
import { answering, settled } from '../../answers.ts';
import { deferred } from '../../deferred.ts';

test('a report that arrives after another evaluation was chosen is not shown for that one', async () => {
  const first = deferred<Uint8Array>();
  const replies: Promise<Uint8Array>[] = [first.promise, Promise.reject(new Error('it was deleted'))];
  const model = new RunEvaluations('wbc/run', {
    call: answering({}).call,
    callBytes: (() => replies.shift()) as unknown as typeof callBytes,
    runSlow: async () => true,
    toast: () => {},
    failed: () => {},
  });
  model.show('a');
  model.show('b');
  first.resolve(new TextEncoder().encode('{"name":"a"}'));
  for (let k = 0; k < 3; k++) await settled();
  expect(model.report.state.value).toEqual({ value: null, loading: false, error: 'it was deleted' });
});

test('a side of a comparison stays the same when a newer evaluation is listed before it', () => {
  const side = (evaluation: string) => ({ evaluation, checkpoint: 'model_9.pt' });
  expect(sideIndex([side('new'), side('b'), side('a')], side('a'))).toBe(2);
  expect(sideIndex([side('new'), side('b')], side('a'))).toBe(0); // it was deleted
});
