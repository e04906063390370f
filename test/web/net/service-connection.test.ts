import { expect, test } from 'vitest';
import { ReplyError } from '../../../src/protocol/http-client.ts';
import { ServiceConnection } from '../../../web/src/net/service-connection.ts';

const REFUSED = new ReplyError(401, 'wrong token: open /?token=<token> once in the browser');

test('a refused token is told from a service that does not answer', () => {
  const connection = new ServiceConnection();
  connection.lost(0, 0, null);
  connection.heartbeat(new ReplyError(0, 'The service does not answer'));
  expect([connection.refused.value, connection.lostText.value]).toEqual([false, 'Reconnecting']);
  connection.heartbeat(REFUSED);
  expect([connection.refused.value, connection.lostText.value]).toEqual([true, 'Access refused']);
});

test('an answer and a new connection end the refusal; a failed heartbeat removes the round trip', () => {
  const connection = new ServiceConnection();
  connection.latencyMs.value = 3;
  connection.heartbeat(REFUSED);
  expect([connection.refused.value, connection.latencyMs.value]).toEqual([true, null]);
  connection.heartbeat(null);
  expect(connection.refused.value).toBe(false);
  connection.heartbeat(REFUSED);
  connection.opened(5);
  expect(connection.refused.value).toBe(false);
});
