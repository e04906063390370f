import { expect, test } from 'vitest';
import { connectionLimit } from '../../src/gateway/connection-limit.ts';
import { silentLogger } from './kernel-server.ts';

test.each([
  ['the wanted number of connections is accepted if the limit on open files allows it', 4096, 1_048_576, 4096],
  ['the wanted number of connections is accepted if the system reports no limit', 4096, null, 4096],
  ['the wanted number of connections is accepted if it exactly reaches the limit on open files', 896, 1024, 896],
  ['at most 128 fewer connections than open files are accepted', 4096, 1024, 896],
  ['at least 16 connections are accepted', 4096, 100, 16],
  ['fewer than 16 connections are accepted if fewer are wanted', 4, 100, 4],
])('%s', (_, wanted, openFiles, expected) => {
  const logger = silentLogger();
  const lines: string[] = [];
  logger.subscribe(({ message }) => lines.push(message));
  expect(connectionLimit(wanted, logger, openFiles)).toBe(expected);
  expect(lines.length).toBe(expected < wanted ? 1 : 0);
});
