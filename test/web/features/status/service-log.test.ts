import { expect, test } from 'vitest';
import { ServiceLog } from '../../../../web/src/features/status/service-log.ts';
import { answering } from '../../answers.ts';

const line = (seq: number, level: 'info' | 'error' = 'info') =>
  ({
    seq,
    time: `2026-01-01T00:00:${String(seq).padStart(2, '0')}Z`,
    level,
    source: 'service',
    message: `m${seq}`,
  }) as const;

test('lines that arrive with an event and again with a fetch are kept once, in order', async () => {
  const { call } = answering({ 'GET /api/log': () => ({ lines: [line(1), line(2), line(3)] }) });
  const log = new ServiceLog({ call });
  log.takeLog(line(2, 'error'));
  await log.refreshLog();
  expect(log.logEntries.value.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(log.unseenErrors.value).toBe(1);
});
