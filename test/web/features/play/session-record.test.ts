import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import type { PlaySession } from '../../../../src/protocol/schemas/play.ts';
import { SessionRecord } from '../../../../web/src/features/play/session-record.ts';
import { settled } from '../../answers.ts';

function recordOf(callBytes: () => Promise<ArrayBuffer>) {
  const session = signal<PlaySession | null>({ id: 1, focus: 0 } as PlaySession);
  let reads = 0;
  let refreshes = 0;
  const record = new SessionRecord({
    callBytes: (() => {
      reads += 1;
      return callBytes();
    }) as never,
    sessions: {
      session,
      isLive: signal(true),
      refreshPlay: async () => {
        refreshes += 1;
      },
    },
    isHidden: () => false,
  });
  return { record, session, reads: () => reads, refreshes: () => refreshes };
}

test('a record that cannot be read shows the reason, and the session is fetched again', async () => {
  const { record, refreshes } = recordOf(() => Promise.reject(new Error('the session has ended')));
  const stop = record.useRecord();
  await settled();
  expect([record.recordError.value, refreshes()]).toEqual(['the session has ended', 1]);
  stop();
});

test('the record is fetched while a view shows it, once for all views', async () => {
  const { record, reads } = recordOf(() => new Promise(() => {}));
  expect(reads()).toBe(0);
  const stops = [record.useRecord(), record.useRecord()];
  await settled();
  expect(reads()).toBe(1);
  for (const stop of stops) stop();
});

test('an error is cleared when the session ends', async () => {
  const { record, session } = recordOf(() => Promise.reject(new Error('busy')));
  const stop = record.useRecord();
  await settled();
  session.value = null;
  expect([record.recordError.value, record.record.value, record.frozen.value]).toEqual([null, null, false]);
  stop();
});
