import { expect, test } from 'vitest';
import { connectionLimit } from '../../src/gateway/connection-limit.ts';
import { silentLogger } from './kernel-server.ts';

test.each([
  ['as many as wanted where files suffice', 4096, 1_048_576, 4096],
  ['as many as wanted where the system shows no limit', 4096, null, 4096],
  ['exactly as many as files suffice for', 896, 1024, 896],
  ['128 fewer than files may be open', 4096, 1024, 896],
  ['16 at least', 4096, 100, 16],
  ['no more than wanted, however few', 4, 100, 4],
])('%s', (_, wanted, openFiles, expected) => {
  const logger = silentLogger();
  const lines: string[] = [];
  logger.subscribe(({ message }) => lines.push(message));
  expect(connectionLimit(wanted, logger, openFiles)).toBe(expected);
  expect(lines.length).toBe(expected < wanted ? 1 : 0);
});
